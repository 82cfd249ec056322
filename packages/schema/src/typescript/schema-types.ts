/** A JSON Schema as a TypeScript type: what the value has, as far as types can say it. */
import { isObject } from '@sigil-mcp/base';

/** Collects declared types. */
export class DeclaredTypes {
  readonly #names = new Map<unknown, string>();
  /** Name -> type; undefined while it is being written. */
  readonly #types = new Map<string, string | undefined>();

  constructor(taken: readonly string[]) {
    for (const name of taken) this.#types.set(name, undefined);
  }

  /** The name of the type of a schema, which is written when it is first met. The same type is declared once. */
  nameFor(schema: unknown, wanted: string, write: () => string): string {
    const known = this.#names.get(schema);
    if (known !== undefined) return known;
    const name = this.#free(typeName(wanted));
    this.#names.set(schema, name);
    this.#types.set(name, undefined);
    const type = write();
    const same = new RegExp(`\\b${name}\\b`).test(type) ? undefined : this.#sameAs(type, typeName(wanted));
    if (same === undefined) this.#types.set(name, type);
    else this.#types.delete(name);
    this.#names.set(schema, same ?? name);
    return same ?? name;
  }

  /** A type that was declared under this name, or under this name with a number, and is the same. */
  #sameAs(type: string, wanted: string): string | undefined {
    const found = [...this.#types].find(
      ([name, known]) => known === type && name.replace(/(?<!\d)\d+$/, '') === wanted,
    );
    return found?.[0];
  }

  /** The declarations, in the order in which they were met. */
  declarations(): string[] {
    return [...this.#types].flatMap(([name, type]) => (type === undefined ? [] : [`export type ${name} = ${type};`]));
  }

  #free(name: string): string {
    let free = name;
    for (let count = 2; this.#types.has(free); count += 1) free = `${name}${count}`;
    return free;
  }
}

/** A schema whose keywords have not been checked. */
type RawSchema = Readonly<Record<string, unknown>>;

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

  #ofSchema(schema: RawSchema): string {
    const parts = [...this.#choicesIn(schema), ...this.#ownType(schema), ...this.#references(schema)];
    const known = [...new Set(parts)].filter((part) => part !== 'unknown');
    if (known.length === 0) return 'unknown';
    return known.length === 1 ? String(known[0]) : known.map((part) => `(${part})`).join(' & ');
  }

  /** `anyOf`, `oneOf` and `allOf`. */
  #choicesIn(schema: RawSchema): string[] {
    const one = ['anyOf', 'oneOf'].flatMap((keyword) => {
      const choices = schema[keyword];
      return Array.isArray(choices) && choices.length > 0 ? [union(choices.map((each) => this.#typeOf(each)))] : [];
    });
    const all = Array.isArray(schema['allOf']) ? schema['allOf'].map((each) => this.#typeOf(each)) : [];
    return [...one, ...all];
  }

  #references({ $ref: reference }: RawSchema): string[] {
    if (typeof reference !== 'string') return [];
    const found = resolvePointer(this.root, reference);
    if (found === undefined) return [];
    const [last = ''] = reference.split('/').slice(-1);
    const name = reference === '#' || last === '' ? this.owner : safeDecode(last);
    return [this.declared.nameFor(found, name, () => this.#typeOf(found))];
  }

  #ownType(schema: RawSchema): string[] {
    if (Object.hasOwn(schema, 'const')) return [literal(schema['const'])];
    if (Array.isArray(schema['enum'])) return [union(schema['enum'].map(literal))];
    const { type } = schema;
    const types = Array.isArray(type) ? type : typeof type === 'string' ? [type] : impliedTypes(schema);
    return types.length === 0 ? [] : [union(types.map((each) => this.#ofType(String(each), schema)))];
  }

  #ofType(type: string, schema: RawSchema): string {
    if (type === 'array') return this.#arrayType(schema);
    if (type === 'object') return this.#objectType(schema);
    return TYPES[type] ?? 'unknown';
  }

  #arrayType({ items, prefixItems }: RawSchema): string {
    const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : undefined;
    if (!first) return `readonly ${inBrackets(this.#typeOf(items))}[]`;
    const rest = prefixItems && items !== false ? [`...${inBrackets(this.#typeOf(items))}[]`] : [];
    return `readonly [${[...first.map((each) => `${inBrackets(this.#typeOf(each))}?`), ...rest].join(', ')}]`;
  }

  #objectType({ properties, required, additionalProperties }: RawSchema): string {
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
function impliedTypes(schema: RawSchema): string[] {
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
        ? (within as RawSchema)[name]
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

/** A choice of types: without repetition, and unknown if one of them is. */
export function union(types: readonly string[]): string {
  const all = [...new Set(types)].filter((type) => type !== 'never');
  if (all.includes('unknown')) return 'unknown';
  if (all.length === 0) return 'never';
  return all.length === 1 ? String(all[0]) : all.map((type) => (/[&|]/.test(type) ? `(${type})` : type)).join(' | ');
}

/** The name of a member, in quotes if it is no identifier. */
export function memberName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** The description of a schema or an entry as a comment before it, with a line break; empty without one. */
export function jsDoc(described: unknown): string {
  const description = isObject(described) ? described['description'] : undefined;
  if (typeof description !== 'string' || description.trim() === '') return '';
  // What would end the comment, or the line of an editor, is taken apart.
  const lines = description
    .trim()
    .replaceAll('*/', '*\u200b/')
    .split(/[\r\n\u2028\u2029]+/);
  return lines.length === 1
    ? `/** ${String(lines[0])} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`).join('\n')}\n */\n`;
}

/** A text as the name of a type. */
export function typeName(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return /^[A-Za-z]/.test(name) ? name : `Type${name}`;
}

/** Code with two spaces for each open brace. Comments and texts have no braces at the end of a line. */
export function indent(code: string): string {
  let depth = 0;
  const lines = code.split('\n').map((line) => {
    const closes = /^[}\])]/.test(line);
    if (closes) depth -= 1;
    const written = line === '' ? '' : `${'  '.repeat(Math.max(depth, 0))}${line}`;
    if (line.endsWith('{') && !isComment(line)) depth += 1;
    return written;
  });
  return lines.join('\n');
}

function isComment(line: string): boolean {
  return /^(?:\/\*\*| \*)/.test(line);
}
