/** A value without its sensitive parts, for logs, traces and records. */
import { isObject } from '@sigil-mcp/base';
import { factsByMember } from '@sigil-mcp/base/facts';
import { sensitives } from '../dto-facts';
import type { ClassPlan, InputShape, JsonSchema, OutputShape, ValuePlan } from '../value-plan';
import { everythingIn, partsWithin, referencesIn, TEXT } from './schema-parts';

/** Takes the place of a sensitive value. */
const SENSITIVE = '[sensitive]';
/** Takes the place of a value that the shape does not declare: it may be a sensitive one under a wrong name. */
const UNDECLARED = '[undeclared]';

type SensitiveShape = Pick<InputShape & OutputShape, 'schema' | 'sensitive'>;

/** The sensitive parts of a shape, as the names on the way to each: `*` is any name or item, `**` any number of names. */
export function sensitiveParts({ sensitive, schema }: SensitiveShape): readonly SensitivePart[] {
  return sensitive ?? partsOfSchema(schema);
}

/**
 * A copy of a value as JSON, in which sensitive values are replaced by `[sensitive]`, and, if the shape has such values, values that it does
 * not declare by `[undeclared]`. The value may be one that the shape refuses. A value of a shape without sensitive parts is returned as it is.
 */
export function redact(value: unknown, shape: SensitiveShape): unknown {
  const parts = sensitiveParts(shape);
  if (parts.length === 0) return value;
  return new Redaction(shape.schema).copy(value, parts, [shape.schema]);
}

/** Whether a value is sensitive, or within one that is. @param path the names on the way to it */
export function isSensitive(path: readonly string[], shape: SensitiveShape): boolean {
  let parts = sensitiveParts(shape);
  return path.some((name) => {
    parts = after(parts, name);
    return isWhole(parts);
  });
}

class Redaction {
  constructor(private readonly root: JsonSchema) {}

  /** @param parts on the way from here @param schemas any of which may be the one of the value */
  copy(value: unknown, parts: readonly SensitivePart[], schemas: readonly unknown[]): unknown {
    if (isWhole(parts)) return SENSITIVE;
    const open = this.#opened(schemas).filter((schema) => mayBe(schema, value));
    if (open.length === 0) return UNDECLARED;
    if (Array.isArray(value)) return value.map((item) => this.copy(item, after(parts, ANY), open.flatMap(itemSchemas)));
    if (!isObject(value)) return value;
    const members = Object.entries(value).map(([name, member]): [string, unknown] => [
      name,
      this.copy(
        member,
        after(parts, name),
        open.flatMap((schema) => memberSchemas(schema, name)),
      ),
    ]);
    return Object.fromEntries(members);
  }

  /** The schemas, and those that they refer to or choose from. */
  #opened(schemas: readonly unknown[]): JsonSchema[] {
    const open = new Set<JsonSchema>();
    const waiting: unknown[] = [...schemas];
    for (let next = waiting.pop(); waiting.length > 0 || next !== undefined; next = waiting.pop()) {
      if (!isObject(next) || open.has(next)) continue;
      open.add(next);
      waiting.push(...referencesIn(this.root).of(next));
      for (const { schema, names } of partsWithin(next, ANY)) if (names.length === 0) waiting.push(schema);
    }
    return [...open];
  }
}

/** Whether a schema may be the one of a value. One that only refers to others says nothing itself. */
function mayBe(schema: JsonSchema, value: unknown): boolean {
  const { type } = schema;
  if (type === undefined) return !REFERRING.some((keyword) => Object.hasOwn(schema, keyword));
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  if (value === null) return types.includes('null');
  if (typeof value === 'number') return types.includes('number') || types.includes('integer');
  return types.includes(Array.isArray(value) ? 'array' : typeof value);
}

const REFERRING = ['$ref', 'allOf', 'anyOf', 'oneOf'];

/** Whether all of a value is sensitive. */
function isWhole(parts: readonly SensitivePart[]): boolean {
  return parts.some((part) => part.length === 0 || (part.length === 1 && part[0] === ANY_DEPTH));
}

/** The parts on the way from a member. */
function after(parts: readonly SensitivePart[], name: string): SensitivePart[] {
  return parts.flatMap((part): SensitivePart[] => {
    const [first, second, ...rest] = part;
    if (first === ANY_DEPTH) return second === name || second === ANY ? [part, rest] : [part];
    return first === name || first === ANY || name === ANY ? [part.slice(1)] : [];
  });
}

function memberSchemas(schema: JsonSchema, name: string): unknown[] {
  const { properties } = schema;
  if (isObject(properties) && Object.hasOwn(properties, name)) return [properties[name]];
  return itemSchemas(schema);
}

/** The schemas of what has no name of its own. */
function itemSchemas(schema: JsonSchema): unknown[] {
  return partsWithin(schema, ANY).flatMap(({ schema: part, names: [name] }) => (name === ANY ? [part] : []));
}

// Where a shape has sensitive values: of a class by its decorators, of a schema by `writeOnly` and the format `password`.

/** The names on the way to a value. */
export type SensitivePart = readonly string[];

/** Any name, or any item of a list. */
const ANY = '*';
/** Any number of names. */
const ANY_DEPTH = '**';

/** The sensitive parts of a class. */
export function partsOfClass(plan: ClassPlan): SensitivePart[] {
  const found = new PartCollector();
  fromClass(plan, [], found);
  return found.parts;
}

/** The sensitive parts of a JSON Schema. */
function partsOfSchema(schema: JsonSchema): SensitivePart[] {
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
