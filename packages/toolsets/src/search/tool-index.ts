/** The tools of a server, ranked by how well they match words: BM25 over names, titles, descriptions and arguments. */
import MiniSearch from 'minisearch';
import type { EntryFacts, EntryView } from '@sigil-mcp/core';
import { isObject } from '@sigil-mcp/core/internal';
import { segmentsOf } from '@sigil-mcp/base';

/** Words that say nothing about a tool. */
const EMPTY: ReadonlySet<string> = new Set(
  'a an and are as at be by can do for from how i if in is it its me my of on or that the this to use want what which with you your'.split(
    ' ',
  ),
);

/** Scripts that write no spaces between words. */
const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}]/u;

/** Names and texts, each in one text. */
interface SchemaWords {
  readonly names: string;
  readonly texts: string;
}

/** Objects within objects, beyond which nothing is read. */
const DEEPEST = 6;

/** Characters of each text that are indexed at most. */
const LONGEST = 20_000;

type ToolFacts = EntryFacts<'tool'>;

/** What a tool is found by. */
interface IndexedTool {
  readonly key: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly argumentNames: string;
  readonly argumentTexts: string;
}

/** How much a word counts, by where it is. */
const BOOST = { name: 4, title: 3, description: 1.5, argumentNames: 1.2, argumentTexts: 0.7 };
/** Words of a query that are looked for. */
const MOST_WORDS = 40;
/** Shorter words are no beginnings of others, and have no typing errors. */
const [SHORTEST_BEGINNING, SHORTEST_FUZZY] = [3, 5];

/** The index of one server. Tools that are added, changed, enabled or disabled later are noticed at the next search. */
export class ToolIndex {
  readonly #indexed = new Map<string, ToolFacts>();
  readonly #index = new MiniSearch<IndexedTool>({
    idField: 'key',
    fields: Object.keys(BOOST),
    tokenize: wordsOf,
    processTerm: (word) => termOf(word) ?? false,
    searchOptions: {
      boost: BOOST,
      prefix: (term) => term.length >= SHORTEST_BEGINNING,
      fuzzy: (term) => (term.length >= SHORTEST_FUZZY ? 0.2 : false),
      maxFuzzy: 2,
    },
  });

  /** @param isFound whether a tool can be found at all, by anyone */
  constructor(
    private readonly entries: EntryView,
    private readonly isFound: (tool: ToolFacts) => boolean,
  ) {}

  /** All tools that match some of the words, the best first. A tool of exactly this name comes before all others. */
  search(query: string): ToolFacts[] {
    this.refresh();
    const words = wordsOf(query).slice(0, MOST_WORDS).join(' ');
    const keys = this.#index.search(words).map(({ id }) => String(id));
    const exact = query.trim();
    return [...new Set(this.#indexed.has(exact) ? [exact, ...keys] : keys)].flatMap((key) => {
      const tool = this.#indexed.get(key);
      return tool ? [tool] : [];
    });
  }

  /** Takes in what has changed. The facts of an entry are made once, so other facts are those of a changed entry. */
  refresh(): void {
    const current = new Map<string, ToolFacts>();
    for (const tool of this.entries.entries('tool')) if (this.isFound(tool)) current.set(tool.key, tool);
    for (const [key, tool] of this.#indexed) {
      if (current.get(key) === tool) continue;
      this.#index.discard(key);
      this.#indexed.delete(key);
    }
    for (const [key, tool] of current) {
      if (this.#indexed.has(key)) continue;
      this.#index.add(indexedTool(tool));
      this.#indexed.set(key, tool);
    }
  }
}

function indexedTool({ key, definition }: ToolFacts): IndexedTool {
  const { title = '', description = '', inputSchema, annotations } = definition;
  const { names, texts } = schemaWords(inputSchema);
  return {
    key,
    name: key,
    title: title === '' ? (annotations?.title ?? '') : title,
    description,
    argumentNames: names,
    argumentTexts: texts,
  };
}

/** Reads a schema of any shape. */
function schemaWords(schema: unknown): SchemaWords {
  const names: string[] = [];
  const texts: string[] = [];
  collect(schema, DEEPEST, { names, texts });
  return { names: names.join(' ').slice(0, LONGEST), texts: texts.join(' ').slice(0, LONGEST) };
}

function collect(schema: unknown, depth: number, found: { readonly names: string[]; readonly texts: string[] }): void {
  if (!isObject(schema) || depth === 0) return;
  const { title, description, properties, items, anyOf, oneOf, allOf, $defs, enum: choices } = schema;
  for (const text of [title, description]) if (typeof text === 'string') found.texts.push(text);
  if (Array.isArray(choices)) found.texts.push(...choices.filter((each) => typeof each === 'string'));
  if (isObject(properties)) found.names.push(...Object.keys(properties));
  const within = [properties, $defs].flatMap((named) => (isObject(named) ? Object.values(named) : []));
  const lists = [items, anyOf, oneOf, allOf].flatMap((part) => (Array.isArray(part) ? (part as unknown[]) : [part]));
  for (const part of [...within, ...lists]) collect(part, depth - 1, found);
}

/** `getUserByID`, `get_user_by_id` and `get user by id` have the same words. */
export function wordsOf(text: string): string[] {
  const parted = text.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2');
  const words = parted.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== '');
  return words.flatMap((word) => (WITHOUT_SPACES.test(word) ? segmentsOf(word, segmenter()) : [word]));
}

/** A word as it is indexed and searched for; undefined for one that says nothing. */
function termOf(word: string): string | undefined {
  const lower = word.toLowerCase();
  return EMPTY.has(lower) ? undefined : singular(lower);
}

/** English plurals are the same word. */
function singular(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return word;
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return /(?:ches|shes|xes|sses|zes)$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

function segmenter(): Intl.Segmenter {
  return new Intl.Segmenter(undefined, { granularity: 'word' });
}
