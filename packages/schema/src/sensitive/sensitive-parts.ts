/** Where a shape has sensitive values: of a class by its decorators, of a schema by `writeOnly` and the format `password`. */
import { isObject } from '@sigil-mcp/base';
import { factsByMember } from '@sigil-mcp/base/facts';
import { sensitives } from '../dto-facts';
import type { ClassPlan, JsonSchema, ValuePlan } from '../value-plan';
import { everythingIn, partsWithin, referencesIn, TEXT } from './schema-parts';

/** The names on the way to a value. */
export type SensitivePart = readonly string[];

/** Any name, or any item of a list. */
export const ANY = '*';
/** Any number of names. */
export const ANY_DEPTH = '**';

/** The sensitive parts of a class. */
export function partsOfClass(plan: ClassPlan): SensitivePart[] {
  const found = new PartCollector();
  fromClass(plan, [], found);
  return found.parts;
}

/** The sensitive parts of a JSON Schema. */
export function partsOfSchema(schema: JsonSchema): SensitivePart[] {
  const found = new PartCollector();
  new SchemaReader(schema, found).readAll();
  return found.parts;
}

/** Collects parts. In a shape that contains itself, a name that is sensitive anywhere is sensitive at every depth. */
class PartCollector {
  readonly #parts: SensitivePart[] = [];
  #containsItself = false;

  add(part: SensitivePart): void {
    // A text of which a part is sensitive is hidden as a whole.
    const text = part.indexOf(TEXT);
    this.#parts.push(text === -1 ? part : part.slice(0, text));
  }

  /** Enters a part of the shape, unless it is already within it. */
  enter<T>(holder: T, open: readonly T[], read: (open: readonly T[]) => void): void {
    if (open.includes(holder)) this.#containsItself = true;
    else read([...open, holder]);
  }

  get parts(): SensitivePart[] {
    const anywhere = this.#containsItself ? this.#parts.map((part) => [ANY_DEPTH, part.at(-1) ?? ANY]) : [];
    const all = [...this.#parts, ...anywhere].map((part) => [JSON.stringify(part), part] as const);
    return [...new Map(all).values()];
  }
}

function fromClass(plan: ClassPlan, way: SensitivePart, found: PartCollector, open: readonly ClassPlan[] = []): void {
  found.enter(plan, open, (inside) => {
    const marked = factsByMember(sensitives, plan.dto);
    for (const { name, wireName, value } of plan.properties) {
      if (marked.has(name)) found.add([...way, wireName]);
      else fromValue(value, [...way, wireName], found, inside);
    }
  });
}

function fromValue(value: ValuePlan, way: SensitivePart, found: PartCollector, open: readonly ClassPlan[]): void {
  if (value.nested) fromClass(value.nested, way, found, open);
  if (value.values) fromValue(value.values, [...way, ANY], found, open);
  if (value.items) fromValue(value.items, [...way, ANY], found, open);
  for (const option of value.union?.options ?? []) fromValue(option, way, found, open);
}

class SchemaReader {
  /** The schemas whose values are known to be sensitive, or to be looked into. */
  readonly #seen = new Set<unknown>();
  #isLost = false;

  constructor(
    private readonly root: JsonSchema,
    private readonly found: PartCollector,
  ) {}

  /** What is marked where this reader does not come hides the whole: a validator may know more keywords, and other documents. */
  readAll(): void {
    this.#read(this.root, [], []);
    const missed = [...everythingIn(this.root, this.#isLost)].some((part) => isMarked(part) && !this.#seen.has(part));
    if (missed) this.found.add([]);
  }

  /** @param open the schemas that it is within */
  #read(schema: unknown, way: SensitivePart, open: readonly unknown[]): void {
    if (!isObject(schema)) return;
    this.#seen.add(schema);
    if (isMarked(schema)) this.found.add(way);
    else this.found.enter<unknown>(schema, open, (inside) => this.#readBelow(schema, way, inside));
  }

  #readBelow(schema: JsonSchema, way: SensitivePart, open: readonly unknown[]): void {
    for (const target of referencesIn(this.root).of(schema)) {
      if (target) this.#read(target, way, open);
      else this.#isLost = true;
    }
    for (const { schema: child, names } of partsWithin(schema, ANY)) this.#read(child, [...way, ...names], open);
  }
}

function isMarked(schema: JsonSchema): boolean {
  return schema['writeOnly'] === true || schema['format'] === 'password';
}
