/** A JSON Schema as a TypeScript type: what the value has, as far as types can say it. */
import { isObject } from '@sigil-mcp/base';
import type { DeclaredTypes } from './declared-types';
import { jsDoc, memberName, union } from './type-text';

/** A schema whose keywords have not been checked. */
type LooseSchema = Readonly<Record<string, unknown>>;

/** The members of a schema that types can say. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** Types within types, beyond which nothing is said: nobody reads them, and a server may send any schema. */
const DEEPEST = 40;

/** Writes the types of one schema, whose references lead into it. */
export class SchemaTypes {
  #depth = 0;

  constructor(
    private readonly root: unknown,
    private readonly declared: DeclaredTypes,
    /** What the types of references without a name of their own are called. */
    private readonly owner: string,
  ) {}

  /** The type of the whole schema. */
  write(): string {
    return this.#typeOf(this.root);
  }

  #typeOf(schema: unknown): string {
    if (schema === false) return 'never';
    if (!isObject(schema) || this.#depth >= DEEPEST) return 'unknown';
    this.#depth += 1;
    const type = this.#ofSchema(schema);
    this.#depth -= 1;
    return type;
  }

  #ofSchema(schema: LooseSchema): string {
    const parts = [...this.#choicesIn(schema), ...this.#ownType(schema), ...this.#references(schema)];
    const known = [...new Set(parts)].filter((part) => part !== 'unknown');
    if (known.length === 0) return 'unknown';
    return known.length === 1 ? String(known[0]) : known.map((part) => `(${part})`).join(' & ');
  }

  /** `anyOf`, `oneOf` and `allOf`. */
  #choicesIn(schema: LooseSchema): string[] {
    const one = ['anyOf', 'oneOf'].flatMap((keyword) => {
      const choices = schema[keyword];
      return Array.isArray(choices) && choices.length > 0 ? [union(choices.map((each) => this.#typeOf(each)))] : [];
    });
    const all = Array.isArray(schema['allOf']) ? schema['allOf'].map((each) => this.#typeOf(each)) : [];
    return [...one, ...all];
  }

  #references({ $ref: reference }: LooseSchema): string[] {
    if (typeof reference !== 'string') return [];
    const found = resolvePointer(this.root, reference);
    if (found === undefined) return [];
    const [last = ''] = reference.split('/').slice(-1);
    const name = reference === '#' || last === '' ? this.owner : safeDecode(last);
    return [this.declared.nameFor(found, name, () => this.#typeOf(found))];
  }

  #ownType(schema: LooseSchema): string[] {
    if (Object.hasOwn(schema, 'const')) return [literal(schema['const'])];
    if (Array.isArray(schema['enum'])) return [union(schema['enum'].map(literal))];
    const { type } = schema;
    const types = Array.isArray(type) ? type : typeof type === 'string' ? [type] : impliedTypes(schema);
    return types.length === 0 ? [] : [union(types.map((each) => this.#ofType(String(each), schema)))];
  }

  #ofType(type: string, schema: LooseSchema): string {
    if (type === 'array') return this.#arrayType(schema);
    if (type === 'object') return this.#objectType(schema);
    return TYPES[type] ?? 'unknown';
  }

  #arrayType({ items, prefixItems }: LooseSchema): string {
    const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : undefined;
    if (!first) return `readonly ${inBrackets(this.#typeOf(items))}[]`;
    const rest = prefixItems && items !== false ? [`...${inBrackets(this.#typeOf(items))}[]`] : [];
    return `readonly [${[...first.map((each) => `${inBrackets(this.#typeOf(each))}?`), ...rest].join(', ')}]`;
  }

  #objectType({ properties, required, additionalProperties }: LooseSchema): string {
    const named = isObject(properties) ? Object.entries(properties) : [];
    const others = isObject(additionalProperties) ? this.#typeOf(additionalProperties) : 'unknown';
    if (named.length === 0) {
      if (additionalProperties === false) return 'Readonly<Record<string, never>>';
      return `Readonly<Record<string, ${others}>>`;
    }
    const always = new Set(Array.isArray(required) ? required : []);
    const members = named.map(([name, schema]) => {
      const mark = always.has(name) ? '' : '?';
      return `${jsDoc(schema)}readonly ${memberName(name)}${mark}: ${this.#typeOf(schema)};`;
    });
    return `{\n${members.join('\n')}\n}`;
  }
}

/** Schemas often leave `type` out where other keywords say it. */
function impliedTypes(schema: LooseSchema): string[] {
  if (isObject(schema['properties']) || Object.hasOwn(schema, 'additionalProperties')) return ['object'];
  return Object.hasOwn(schema, 'items') || Object.hasOwn(schema, 'prefixItems') ? ['array'] : [];
}

function literal(value: unknown): string {
  if (typeof value === 'object' && value !== null) return 'unknown';
  return JSON.stringify(value);
}

function inBrackets(type: string): string {
  return /^[\w$.]+$/.test(type) ? type : `(${type})`;
}

/** What a reference within a schema leads to; undefined for every other reference. */
function resolvePointer(root: unknown, reference: string): unknown {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  return reference
    .slice(2)
    .split('/')
    .reduce<unknown>((within, part) => {
      const name = safeDecode(part).replaceAll('~1', '/').replaceAll('~0', '~');
      return (isObject(within) || Array.isArray(within)) && Object.hasOwn(within, name)
        ? (within as LooseSchema)[name]
        : undefined;
    }, root);
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
