/** What a definition costs a model: the tokens of what a host passes on of it, and of its parts. */
import { isObject } from '@sigil-mcp/base';
import type { LooseObject } from '../json-object';
import type { OfferedEntry } from '../offer/offered-server';
import type { CountTokens } from '../tokens/count-tokens';

/** The tokens of one entry. */
export interface EntryCost {
  readonly entry: OfferedEntry;
  /** What a host passes on: of a tool its name, description and arguments; of others their whole item without `_meta` and icons. */
  readonly tokens: number;
  /** Of the name, or of the URI. */
  readonly name: number;
  readonly description: number;
  /** Of the schema of its arguments; 0 without any. */
  readonly arguments: number;
  /** Of the schema of its result, which few hosts pass on: not part of `tokens`. */
  readonly result: number;
}

/** Counts an entry. */
export function costOf(entry: OfferedEntry, count: CountTokens): EntryCost {
  const { kind, key, listed } = entry;
  const { description, inputSchema, outputSchema, arguments: listedArguments } = listed;
  return {
    entry,
    tokens: count(JSON.stringify(passedOn(entry))),
    name: count(key),
    description: typeof description === 'string' ? count(description) : 0,
    arguments: jsonTokens(kind === 'tool' ? inputSchema : listedArguments, count),
    result: jsonTokens(outputSchema, count),
  };
}

function jsonTokens(value: unknown, count: CountTokens): number {
  return value === undefined ? 0 : count(JSON.stringify(value));
}

/** What hosts leave out of every item: it is for the user, or for themselves. */
const NOT_FOR_MODELS = ['_meta', 'icons', 'annotations', 'title', 'size', 'outputSchema', 'execution'];

/** The part of an item that a model reads. */
function passedOn({ kind, listed }: OfferedEntry): LooseObject {
  if (kind !== 'tool')
    return Object.fromEntries(Object.entries(listed).filter(([name]) => !NOT_FOR_MODELS.includes(name)));
  const { name, description, inputSchema } = listed;
  return { name, description, inputSchema };
}

/** A text or a list of values within a definition. */
export interface DefinitionPart {
  /** Such as `description`, `title: description`, or `state: 40 values`. */
  readonly where: string;
  readonly text: string;
}

/** The texts of an item that a model reads: descriptions at every depth, lists of values, patterns, examples and defaults. */
export function partsOf({ kind, listed }: OfferedEntry): readonly DefinitionPart[] {
  const { description, inputSchema, arguments: listedArguments } = listed;
  const own = typeof description === 'string' ? [{ where: 'description', text: description }] : [];
  if (kind === 'tool') return [...own, ...schemaParts(inputSchema, '')];
  const each = Array.isArray(listedArguments) ? (listedArguments as unknown[]).filter(isObject) : [];
  return [
    ...own,
    ...each.flatMap(({ name, description: text }) =>
      typeof text === 'string' ? [{ where: `${String(name)}: description`, text }] : [],
    ),
  ];
}

/** The members whose values are schemas by name, and those whose value is a schema or a list of schemas. */
const BY_NAME = ['properties', '$defs', 'definitions', 'patternProperties'];
const NESTED = ['items', 'additionalProperties', 'anyOf', 'oneOf', 'allOf', 'not', 'prefixItems', 'if', 'then', 'else'];

function schemaParts(schema: unknown, path: string): readonly DefinitionPart[] {
  if (Array.isArray(schema)) return (schema as unknown[]).flatMap((each) => schemaParts(each, path));
  if (!isObject(schema)) return [];
  const at = (words: string): string => (path === '' ? words : `${path}: ${words}`);
  const own = Object.entries(schema).flatMap(([name, value]): DefinitionPart[] => {
    if ((name === 'description' || name === 'pattern') && typeof value === 'string')
      return [{ where: at(name), text: value }];
    if (name === 'enum' && Array.isArray(value))
      return [{ where: at(`${value.length} values`), text: JSON.stringify(value) }];
    return ['examples', 'default'].includes(name) && isObject(value)
      ? [{ where: at(name), text: JSON.stringify(value) }]
      : [];
  });
  const named = BY_NAME.flatMap((member) => {
    const schemas = schema[member];
    const prefix = member.startsWith('$') || member === 'definitions' ? '$defs.' : path === '' ? '' : `${path}.`;
    return isObject(schemas)
      ? Object.entries(schemas).flatMap(([name, each]) => schemaParts(each, `${prefix}${name}`))
      : [];
  });
  return [...own, ...named, ...NESTED.flatMap((member) => schemaParts(schema[member], path))];
}
