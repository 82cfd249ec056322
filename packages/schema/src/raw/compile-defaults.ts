/**
 * The defaults of a raw JSON Schema -> the function that fills them in. They replace members that an accepted value left out, so the
 * listed schema alone decides what is accepted, and values that a client sent are not changed.
 */
import { describeFailures, isObject, shorten, type ErrorWords } from '@sigil-mcp/base';
import { schemaWords } from '../errors/errors';
import { followReference, resolveReference } from '../local-reference';
import type { JsonSchema, Reading } from '../value-plan';
import type { Validation } from './validation';

/** A value -> the same, or a copy with defaults. */
type Fill = (value: unknown) => unknown;

/** Compiles a validator for the part of the schema at a JSON pointer. */
type JudgePart = (pointer: string) => (value: unknown) => Reading<unknown>;

/** A default, and its place. */
interface FoundDefault {
  /** Names and positions within the value; an item is `0`. */
  readonly path: readonly string[];
  readonly value: unknown;
  /** The place of its schema. */
  readonly pointer: string;
}

/** The filler of a schema, and the defaults that were found at start. */
interface Defaults {
  readonly fill: Fill;
  readonly found: readonly FoundDefault[];
}

/** The place of a part of a schema, and the part of the value that it describes. */
interface SchemaLocation {
  readonly pointer: string;
  readonly path: readonly string[];
}

type FillOther = (name: string, value: unknown, declared: ReadonlySet<string>) => unknown;

const unchanged: Fill = (value) => value;

/** Compiles the defaults of a schema; undefined if it has no defaults. */
function compileDefaults(schema: JsonSchema, judge: JudgePart): Defaults | undefined {
  if (!JSON.stringify(schema).includes('"default":')) return undefined;
  const compiler = new DefaultsCompiler(schema, judge);
  const fill = compiler.part(schema, { pointer: '', path: [] });
  return compiler.found.length > 0 ? { fill, found: compiler.found } : undefined;
}

class DefaultsCompiler {
  readonly found: FoundDefault[] = [];
  /** Compiled parts: a part that contains itself is found here while it is compiled. */
  readonly #parts = new Map<unknown, { fill: Fill }>();

  constructor(
    private readonly root: JsonSchema,
    private readonly judge: JudgePart,
  ) {}

  /** Compiles one part of the schema. */
  part(schema: unknown, place: SchemaLocation): Fill {
    if (!isObject(schema)) return unchanged;
    const known = this.#parts.get(schema);
    if (known) return (value) => known.fill(value);
    const made = { fill: unchanged };
    this.#parts.set(schema, made);
    made.fill = inTurn([
      // First, because they are chosen by the sent value.
      ...this.#alternatives(schema, place),
      this.#reference(schema, place),
      this.#members(schema, place),
      this.#items(schema, place),
    ]);
    return made.fill;
  }

  #reference({ $ref }: JsonSchema, { path }: SchemaLocation): Fill {
    if (typeof $ref !== 'string') return unchanged;
    return this.part(followReference($ref, this.root), { pointer: $ref.slice(1), path });
  }

  #members(schema: JsonSchema, place: SchemaLocation): Fill {
    const { properties } = schema;
    const members = Object.entries(isObject(properties) ? properties : {}).map(([name, property]) => {
      const at = { pointer: `${place.pointer}/properties/${encode(name)}`, path: [...place.path, name] };
      const fill = this.part(property, at);
      return { name, fill, standIn: this.#standIn(property, fill, at) };
    });
    const fillOther = this.#others(schema, place);
    if (!fillOther && members.every(({ fill, standIn }) => fill === unchanged && !standIn)) return unchanged;
    const declared = new Set(members.map(({ name }) => name));
    return (value) => {
      if (!isObject(value)) return value;
      const made = new Map(Object.entries(value));
      if (fillOther) for (const [name, held] of made) made.set(name, fillOther(name, held, declared));
      for (const { name, fill, standIn } of members) {
        if (made.has(name)) made.set(name, fill(made.get(name)));
        else if (standIn) made.set(name, standIn());
      }
      return Object.fromEntries(made);
    };
  }

  /** The filler of members that match a name pattern or `additionalProperties`. */
  #others(
    { patternProperties, additionalProperties }: JsonSchema,
    { pointer, path }: SchemaLocation,
  ): FillOther | undefined {
    const within = [...path, '*'];
    const named = Object.entries(isObject(patternProperties) ? patternProperties : {}).map(([pattern, schema]) => ({
      pattern: new RegExp(pattern, 'u'), // as ajv reads it
      fill: this.part(schema, { pointer: `${pointer}/patternProperties/${encode(pattern)}`, path: within }),
    }));
    const rest = this.part(additionalProperties, { pointer: `${pointer}/additionalProperties`, path: within });
    if (rest === unchanged && named.every(({ fill }) => fill === unchanged)) return undefined;
    return (name, value, declared) => {
      const fitting = named.filter(({ pattern }) => pattern.test(name));
      if (fitting.length === 0 && !declared.has(name)) return rest(value);
      return fitting.reduce((before, { fill }) => fill(before), value);
    };
  }

  /** Makes the default of a property: a new value for each call, because a handler may change it. */
  #standIn(schema: unknown, fill: Fill, place: SchemaLocation): (() => unknown) | undefined {
    const resolved = isObject(schema) ? resolveReference(schema, this.root) : {};
    if (!Object.hasOwn(resolved, 'default')) return undefined;
    const value = resolved['default'];
    this.found.push({ ...place, value });
    if (typeof value !== 'object' || value === null) return () => value;
    // A default may lack members with defaults, even its own: that ends at the first level.
    let isFilling = false;
    return () => {
      const copy = copyJson(value);
      if (isFilling) return copy;
      isFilling = true;
      try {
        return fill(copy);
      } finally {
        isFilling = false;
      }
    };
  }

  #items({ items, prefixItems }: JsonSchema, { pointer, path }: SchemaLocation): Fill {
    const tuple = Array.isArray(prefixItems)
      ? (prefixItems as unknown[])
      : Array.isArray(items)
        ? (items as unknown[])
        : [];
    const keyword = Array.isArray(prefixItems) ? 'prefixItems' : 'items';
    const first = tuple.map((part, index) =>
      this.part(part, { pointer: `${pointer}/${keyword}/${index}`, path: [...path, String(index)] }),
    );
    const rest = Array.isArray(items)
      ? unchanged
      : this.part(items, { pointer: `${pointer}/items`, path: [...path, '0'] });
    if (rest === unchanged && first.every((fill) => fill === unchanged)) return unchanged;
    return (value) =>
      Array.isArray(value) ? value.map((item: unknown, index) => (first[index] ?? rest)(item)) : value;
  }

  #alternatives(schema: JsonSchema, { pointer, path }: SchemaLocation): Fill[] {
    const parts = (keyword: string): [Fill, string][] => {
      const list: readonly unknown[] = Array.isArray(schema[keyword]) ? schema[keyword] : [];
      return list.map((part, index) => {
        const at = `${pointer}/${keyword}/${index}`;
        return [this.part(part, { pointer: at, path }), at];
      });
    };
    const chosen = [...parts('anyOf'), ...parts('oneOf')].map(([fill, at]) => this.#where(at, fill, unchanged));
    const [then, otherwise] = ['then', 'else'].map((keyword) =>
      this.part(schema[keyword], { pointer: `${pointer}/${keyword}`, path }),
    );
    const conditional = 'if' in schema ? [this.#where(`${pointer}/if`, then ?? unchanged, otherwise ?? unchanged)] : [];
    return [...parts('allOf').map(([fill]) => fill), ...chosen, ...conditional];
  }

  #where(pointer: string, then: Fill, otherwise: Fill): Fill {
    if (then === unchanged && otherwise === unchanged) return unchanged;
    const judge = this.judge(pointer);
    return (value) => (judge(value).ok ? then(value) : otherwise(value));
  }
}

/** Copies a default, which is JSON, for each value that lacks it. */
function copyJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyJson);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copyJson(member)]));
}

function inTurn(fills: readonly Fill[]): Fill {
  const [first = unchanged, ...others] = fills.filter((fill) => fill !== unchanged);
  return others.reduce<Fill>((before, fill) => (value) => fill(before(value)), first);
}

function encode(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}

// The defaults of a raw JSON Schema: each is accepted by its own schema, and replaces a member that a client left out.

/**
 * Compiles what fills in the defaults of a value that the schema accepted.
 * @returns undefined where the schema has no defaults; what is wrong with one that its own schema refuses
 */
export function compileFiller(
  schema: JsonSchema,
  validation: Validation,
): ((reading: Reading<unknown>) => Reading<unknown>) | ErrorWords | undefined {
  try {
    const defaults = compileDefaults(schema, (pointer) => validation.part(pointer));
    const [refused] = (defaults?.found ?? []).flatMap((found) => refusalOf(found, validation));
    if (refused) return refused;
    const fill = defaults?.fill;
    return fill && ((reading) => (reading.ok ? filled(fill, reading.value) : reading));
  } catch (error) {
    return invalidSchema(error instanceof Error ? error.message : String(error));
  }
}

function filled(fill: (value: unknown) => unknown, value: unknown): Reading<unknown> {
  try {
    return { ok: true, value: fill(value) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { ok: false, failures: [{ path: '', message: 'is nested too deeply' }] };
  }
}

function refusalOf({ path, value, pointer }: FoundDefault, validation: Validation): readonly ErrorWords[] {
  const reading = validation.part(pointer)(value);
  if (reading.ok) return [];
  const reason = shorten(describeFailures(reading.failures), 300);
  return [schemaWords('SIGIL_SCHEMA_DEFAULT', { property: shorten(path.join('.'), 200), reason })];
}

/** The words for a schema that ajv refuses. */
export function invalidSchema(reason: string): ErrorWords {
  return schemaWords('SIGIL_SCHEMA_INVALID', { reason: shorten(reason, 300) });
}
