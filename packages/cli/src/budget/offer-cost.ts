/** What a server costs a model, in tokens: each definition and its parts, each list, each audience, and the texts that cost most. */
import { isObject } from '@sigil-mcp/base';
import type { LooseObject } from '../json-object';
import { LISTS, shownName, type OfferedEntry, type OfferedKind, type OfferedServer } from '../offer/offered-server';
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

/** The tokens of a list. */
export interface ListCost {
  readonly kind: OfferedKind;
  readonly title: string;
  readonly entries: number;
  readonly tokens: number;
}

/** What one audience pays. */
export interface AudienceCost {
  readonly name: string;
  readonly tools: number;
  /** Of the instructions and the tools that it sees: what hosts put into every conversation. */
  readonly tokens: number;
  readonly lists: readonly ListCost[];
}

/** A text, and every place where it stands. */
export interface TextCost {
  readonly text: string;
  /** Of all places together. */
  readonly tokens: number;
  /** Such as `searchBooks, description`. */
  readonly places: readonly TextPlace[];
}

/** A place of a text. */
export interface TextPlace {
  readonly entry: OfferedEntry;
  /** Such as `description`, or `state: 40 values`. */
  readonly where: string;
}

/** What a server costs. */
export interface OfferCost {
  readonly encoding: CountTokens['encoding'];
  readonly instructions: number;
  /** The dearest first. */
  readonly entries: readonly EntryCost[];
  /** The dearest first. */
  readonly audiences: readonly AudienceCost[];
  /** The dearest first. */
  readonly texts: readonly TextCost[];
}

/** Counts a server. */
export function offerCost({ instructions, entries, audiences }: OfferedServer, count: CountTokens): OfferCost {
  const costs = new Map(entries.map((entry) => [entry, costOf(entry, count)]));
  const ofInstructions = instructions === undefined ? 0 : count(instructions);
  return {
    encoding: count.encoding,
    instructions: ofInstructions,
    entries: [...costs.values()].sort((one, other) => other.tokens - one.tokens),
    audiences: audiences
      .map(({ name, sees }) =>
        audienceCost(name, { seen: sees.flatMap((each) => costs.get(each) ?? []), ofInstructions }),
      )
      .sort((one, other) => other.tokens - one.tokens),
    texts: textCosts(entries, count),
  };
}

function audienceCost(
  name: string,
  { seen, ofInstructions }: { readonly seen: readonly EntryCost[]; readonly ofInstructions: number },
): AudienceCost {
  const lists = LISTS.map(({ kind, title }): ListCost => {
    const own = seen.filter(({ entry }) => entry.kind === kind);
    return { kind, title, entries: own.length, tokens: own.reduce((sum, { tokens }) => sum + tokens, 0) };
  });
  const tools = lists.find(({ kind }) => kind === 'tool');
  return { name, tools: tools?.entries ?? 0, tokens: ofInstructions + (tools?.tokens ?? 0), lists };
}

/** The texts of tools; equal ones are one text with several places. */
function textCosts(entries: readonly OfferedEntry[], count: CountTokens): readonly TextCost[] {
  const places = new Map<string, TextPlace[]>();
  for (const entry of entries.filter(({ kind }) => kind === 'tool')) {
    for (const { where, text } of partsOf(entry)) {
      const known = places.get(text);
      if (known) known.push({ entry, where });
      else places.set(text, [{ entry, where }]);
    }
  }
  return [...places]
    .map(([text, found]) => ({ text, tokens: count(text) * found.length, places: found }))
    .sort((one, other) => other.tokens - one.tokens);
}

/** Such as `searchBooks, description`, or `title: description of 12 tools`. */
export function placeText({ places }: TextCost): string {
  const [first] = places;
  if (!first) return '';
  const others = places.length - 1;
  return `${shownName(first.entry)}, ${first.where}${others === 0 ? '' : `, and ${others} ${others === 1 ? 'place' : 'places'} more`}`;
}
