/** JSON Schema as servers list it. Its parts are read with care, because any server may have written it. */
import { isObject } from '@sigil-mcp/base';
import type { LooseObject } from '../json-object';

/** A schema, or any object in its place. */
export type LooseSchema = LooseObject;

/** The number of references that are followed, in case they form a circle. */
const MOST_REFERENCES = 8;

/** A schema and its definitions. */
export class SchemaView {
  constructor(
    readonly schema: LooseSchema,
    private readonly root: LooseSchema = schema,
    private readonly depth = 0,
  ) {}

  /** The schema in a value, which may not be a valid schema. */
  static of(value: unknown): SchemaView {
    return new SchemaView(isObject(value) ? value : {});
  }

  /** The target of a `$ref`, or this schema. A circle of references allows any value. */
  get resolved(): SchemaView {
    const reference = this.schema['$ref'];
    if (typeof reference !== 'string' || this.depth > MOST_REFERENCES) return this;
    const { $ref: _, ...own } = this.schema;
    return new SchemaView({ ...find(this.root, reference), ...own }, this.root, this.depth + 1).resolved;
  }

  /** The types that the schema allows, by name; empty if it has no type. */
  get types(): readonly string[] {
    const { type } = this.resolved.schema;
    if (typeof type === 'string') return [type];
    if (Array.isArray(type)) return type.filter((one) => typeof one === 'string');
    const values = this.choices;
    return values === undefined ? [] : [...new Set(values.map(typeName))];
  }

  /** The values that the schema is limited to, also if each is an alternative with a title. */
  get choices(): readonly unknown[] | undefined {
    const own = this.#values;
    if (own !== undefined) return own;
    const each = this.alternatives.map((one) => one.#values);
    return each.length > 0 && each.every((values) => values !== undefined) ? each.flat() : undefined;
  }

  /** The alternatives, one of which must match. */
  get alternatives(): readonly SchemaView[] {
    const { schema } = this.resolved;
    const list = schema['anyOf'] ?? schema['oneOf'];
    return Array.isArray(list) ? list.map((one) => this.resolved.#child(one)) : [];
  }

  /** The schemas of an object's properties, by name. */
  get properties(): ReadonlyMap<string, SchemaView> {
    const { properties } = this.resolved.schema;
    if (!isObject(properties)) return new Map();
    return new Map(Object.entries(properties).map(([name, value]) => [name, this.resolved.#child(value)]));
  }

  /** The names of the required properties. */
  get required(): readonly string[] {
    const { required } = this.resolved.schema;
    return Array.isArray(required) ? required.filter((one) => typeof one === 'string') : [];
  }

  /** The schema of an array's items. */
  get items(): SchemaView {
    return this.resolved.#child(this.resolved.schema['items']);
  }

  /** Whether an object may have properties that are not listed. */
  get isOpen(): boolean {
    const { schema } = this.resolved;
    const more = schema['additionalProperties'];
    // By the standard every property that is not forbidden is allowed; but a schema that lists properties means only those.
    return more === true || isObject(more) || isObject(schema['patternProperties']) || !isObject(schema['properties']);
  }

  /** The value of a keyword, if it is a string. */
  text(key: string): string | undefined {
    const value = this.resolved.schema[key];
    return typeof value === 'string' ? value : undefined;
  }

  /** The value of a keyword, if it is a number. */
  number(key: string): number | undefined {
    const value = this.resolved.schema[key];
    return typeof value === 'number' ? value : undefined;
  }

  get #values(): readonly unknown[] | undefined {
    const { schema } = this.resolved;
    if ('const' in schema) return [schema['const']];
    return Array.isArray(schema['enum']) ? (schema['enum'] as unknown[]) : undefined;
  }

  #child(value: unknown): SchemaView {
    return new SchemaView(isObject(value) ? value : {}, this.root, this.depth);
  }
}

/** The JSON Schema name for the type of a value. */
export function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step; // not a valid escape
  }
}

function find(root: LooseSchema, reference: string): LooseSchema {
  if (!reference.startsWith('#')) return {};
  let found: unknown = root;
  for (const step of reference.slice(1).split('/').filter(Boolean)) {
    const key = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
    found = isObject(found) ? found[key] : undefined;
  }
  return isObject(found) ? found : {};
}
