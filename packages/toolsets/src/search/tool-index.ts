/** The tools of a server, ranked by how well they match words: BM25 over names, titles, descriptions and arguments. */
import MiniSearch from 'minisearch';
import type { EntryFacts, EntryView } from '@sigil-mcp/core';
import { schemaWords } from './schema-words';
import { termOf, wordsOf } from './words';

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
