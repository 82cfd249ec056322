/** What a whole server costs a model: each list, each audience, and the texts that cost most. */
import { LISTS, shownName, type OfferedEntry, type OfferedKind, type OfferedServer } from '../offer/offered-server';
import type { CountTokens } from '../tokens/count-tokens';
import { costOf, partsOf, type EntryCost } from './entry-cost';

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
