/** A JSON Schema with the definitions that it refers to. */
import { isObject } from '@sigil-mcp/base';
import { isWord } from './words';

/** A schema: an object of keywords, true for any value, false for none. */
export type Schema = boolean | Readonly<Record<string, unknown>>;

/** Schemas of one document, all of which a value has to fit. */
export interface Node {
  readonly schemas: readonly Schema[];
  readonly document: JsonDocument;
}

/** Resolves the references of one schema. */
export class JsonDocument {
  readonly #numbers = new Map<unknown, number>();

  constructor(readonly root: Schema) {}

  /** The whole schema. */
  get node(): Node {
    return { schemas: [this.root], document: this };
  }

  /** The schema behind a reference such as `#/$defs/City`; undefined if it is elsewhere, or missing. */
  resolve(reference: string): Schema | undefined {
    if (reference === '#') return this.root;
    if (!reference.startsWith('#/')) return undefined;
    let found: unknown = this.root;
    for (const part of reference.slice(2).split('/')) {
      const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
      found =
        (isObject(found) || Array.isArray(found)) && Object.hasOwn(found, name) ? Reflect.get(found, name) : undefined;
    }
    return isSchema(found) ? found : undefined;
  }

  /** A text for a list of schemas: the same for the same schemas of this document. */
  nameOf(schemas: readonly Schema[]): string {
    return schemas.map((schema) => this.#numberOf(schema)).join(' ');
  }

  #numberOf(given: Schema): number {
    const schema = this.#behind(given);
    const known = this.#numbers.get(schema);
    if (known !== undefined) return known;
    this.#numbers.set(schema, this.#numbers.size);
    return this.#numbers.size - 1;
  }

  /** What a schema refers to, if it does nothing else. */
  #behind(schema: Schema): Schema {
    const found = isReference(schema) ? this.resolve(schema.$ref) : undefined;
    return found === undefined || isReference(found) ? schema : found;
  }
}

/** Whether a value is a schema. */
export function isSchema(value: unknown): value is Schema {
  return typeof value === 'boolean' || isObject(value);
}

/** Whether a member of an object is a schema. */
export function isNamedSchema(entry: readonly [string, unknown]): entry is [string, Schema] {
  return isSchema(entry[1]);
}

/** Whether a schema only refers to another one. */
function isReference(schema: Schema): schema is { readonly $ref: string } {
  if (typeof schema === 'boolean' || typeof schema['$ref'] !== 'string') return false;
  return Object.keys(schema).every((keyword) => keyword === '$ref' || isWord(keyword));
}

// JSON as text with sorted keys: equal values have equal texts.

/** The text of a value. */
export function canonicalText(value: unknown, space?: number): string {
  return JSON.stringify(sorted(value), undefined, space);
}

/** The same value, with the members of all objects in the order of their names. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}
