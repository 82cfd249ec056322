/** A value without its sensitive parts, for logs, traces and records. */
import { isObject } from '@sigil-mcp/base';
import type { InputShape, JsonSchema, OutputShape } from '../value-plan';
import { partsWithin, referencesIn } from './schema-parts';
import { ANY, ANY_DEPTH, partsOfSchema, type SensitivePart } from './sensitive-parts';

/** Takes the place of a sensitive value. */
export const SENSITIVE = '[sensitive]';
/** Takes the place of a value that the shape does not declare: it may be a sensitive one under a wrong name. */
export const UNDECLARED = '[undeclared]';

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
