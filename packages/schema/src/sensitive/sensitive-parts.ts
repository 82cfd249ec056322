/** Where a shape has sensitive values: of a class by its decorators, of a schema by `writeOnly` and the format `password`. */
import { isObject } from '@sigil-mcp/base';
import { factsByMember } from '@sigil-mcp/base/facts';
import { sensitives } from '../dto-facts';
import type { JsonSchema } from '../json-schema';
import { followReference } from '../local-reference';
import type { ClassPlan, ValuePlan } from '../value-plan';

/** The names on the way to a value. */
export type SensitivePart = readonly string[];

/** Any name, or any item of a list. */
export const ANY = '*';
/** Any number of names. */
export const ANY_DEPTH = '**';

/** The sensitive parts of a class. */
export function partsOfClass(plan: ClassPlan): SensitivePart[] {
  const found = new Found();
  fromClass(plan, [], found);
  return found.parts;
}

/** The sensitive parts of a JSON Schema. */
export function partsOfSchema(schema: JsonSchema): SensitivePart[] {
  const found = new Found();
  new SchemaReader(schema, found).read(schema, [], []);
  return found.parts;
}

/** Collects parts. In a shape that contains itself, a name that is sensitive anywhere is sensitive at every depth. */
class Found {
  readonly #parts: SensitivePart[] = [];
  #containsItself = false;

  add(part: SensitivePart): void {
    this.#parts.push(part);
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

function fromClass(plan: ClassPlan, way: SensitivePart, found: Found, open: readonly ClassPlan[] = []): void {
  found.enter(plan, open, (inside) => {
    const marked = factsByMember(sensitives, plan.dto);
    for (const { name, wireName, value } of plan.properties) {
      if (marked.has(name)) found.add([...way, wireName]);
      else fromValue(value, [...way, wireName], found, inside);
    }
  });
}

function fromValue(value: ValuePlan, way: SensitivePart, found: Found, open: readonly ClassPlan[]): void {
  if (value.nested) fromClass(value.nested, way, found, open);
  if (value.values) fromValue(value.values, [...way, ANY], found, open);
  if (value.items) fromValue(value.items, [...way, ANY], found, open);
  for (const option of value.union?.options ?? []) fromValue(option, way, found, open);
}

/** Keywords with schemas for any member, and for the value itself. */
const FOR_ANY = ['items', 'additionalProperties', 'contains', 'prefixItems', 'patternProperties'] as const;
const FOR_ITSELF = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else'] as const;

class SchemaReader {
  constructor(
    private readonly root: JsonSchema,
    private readonly found: Found,
  ) {}

  /** @param open the schemas that it is within */
  read(schema: unknown, way: SensitivePart, open: readonly unknown[]): void {
    if (!isObject(schema)) return;
    if (schema['writeOnly'] === true || schema['format'] === 'password') this.found.add(way);
    else this.found.enter<unknown>(schema, open, (inside) => this.#readBelow(schema, way, inside));
  }

  #readBelow(schema: JsonSchema, way: SensitivePart, open: readonly unknown[]): void {
    const below = (child: unknown, ...names: SensitivePart): void => this.read(child, [...way, ...names], open);
    if (typeof schema['$ref'] === 'string') below(followReference(schema['$ref'], this.root));
    for (const [name, child] of membersOf(schema['properties'])) below(child, name);
    for (const keyword of FOR_ANY) for (const child of schemasOf(keyword, schema[keyword])) below(child, ANY);
    for (const keyword of FOR_ITSELF) for (const child of schemasOf(keyword, schema[keyword])) below(child);
  }
}

function membersOf(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : [];
}

/** One schema, a list of them, or those of `patternProperties`. */
function schemasOf(keyword: string, value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return keyword === 'patternProperties' ? membersOf(value).map(([, child]) => child) : [value];
}
