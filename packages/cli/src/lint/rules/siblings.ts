/** Tools that a model cannot tell apart by what they say. */
import { shownName, type OfferedEntry } from '../../offer/offered-server';
import { SchemaView } from '../../arguments/json-schema';
import { textOfEntry, toolsOf, type DefinitionRule, type RuleBreach } from '../definition-rule';
import { meaningWords, nameWords, stem } from '../words-of';

/** The part of their words that two descriptions share if they say the same. */
const SAME = 0.8;
/** Shorter descriptions are unclear on their own. */
const FEWEST_WORDS = 3;

interface Told {
  readonly entry: OfferedEntry;
  readonly name: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
  /** The names of its arguments. */
  readonly takes: ReadonlySet<string>;
}

/** Tools that say the same, and take the same. */
export const alikeTools: DefinitionRule = {
  name: 'alike',
  asks: 'A model can tell tools apart by their descriptions',
  severity: 'warning',
  dimension: 'usage',
  looksAt: 'server',
  *find(server) {
    const tools = toolsOf(server)
      .map(told)
      .filter(({ words }) => words.size >= FEWEST_WORDS);
    const candidates = candidatesOf(tools);
    // A tool that says the same as an earlier one is named there: ten of them are one finding, and not forty-five.
    const named = new Set<Told>();
    for (const one of tools) {
      if (named.has(one)) continue;
      const others = candidates(one).filter((other) => !named.has(other) && isAlike(one, other));
      for (const other of others) named.add(other);
      if (others.length > 0) yield breachOf(one, others);
    }
  },
};

function told(entry: OfferedEntry): Told {
  return {
    entry,
    name: new Set(nameWords(entry.key).map(stem)),
    words: meaningWords(textOfEntry(entry, 'description')),
    takes: new Set(SchemaView.of(entry.listed['inputSchema']).properties.keys()),
  };
}

/** A tool among those that have a word. */
interface WordTool {
  readonly tool: Told;
  readonly place: number;
  /** How many of its words are rarer. */
  readonly rarer: number;
}

/**
 * What finds the later tools that may say the same as one: among thousands, few. Two texts that share most of their words share one of the rarest
 * words of each, and as many of the others as are needed.
 */
function candidatesOf(tools: readonly Told[]): (one: Told) => readonly Told[] {
  const counts = new Map<string, number>();
  for (const { words } of tools) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const count = (word: string): number => counts.get(word) ?? 0;
  const rarest = ({ words }: Told): readonly string[] =>
    [...words]
      .sort((one, other) => count(one) - count(other) || (one < other ? -1 : 1))
      .slice(0, words.size - Math.ceil(SAME * words.size) + 1);
  const holders = new Map<string, WordTool[]>();
  const places = new Map<Told, number>();
  for (const [place, tool] of tools.entries()) {
    places.set(tool, place);
    for (const [rarer, word] of rarest(tool).entries()) {
      const others = holders.get(word);
      if (others) others.push({ tool, place, rarer });
      else holders.set(word, [{ tool, place, rarer }]);
    }
  }
  return (one) => {
    const found = new Map<number, Told>();
    for (const [rarer, word] of rarest(one).entries())
      for (const other of holders.get(word) ?? [])
        if (other.place > (places.get(one) ?? 0) && mayShareEnough(one.words.size - rarer, other, one))
          found.set(other.place, other.tool);
    return [...found].sort(([a], [b]) => a - b).map(([, tool]) => tool);
  };
}

/** Whether two tools whose rarest common word is known can share enough words. @param left words of one that are not rarer */
function mayShareEnough(left: number, { tool: { words }, rarer }: WordTool, one: Told): boolean {
  const needed = (SAME / (1 + SAME)) * (one.words.size + words.size);
  return Math.min(left, words.size - rarer) >= needed - 1e-9;
}

/** Whether both say the same of the same arguments, and neither says what is particular about its name. */
function isAlike(one: Told, other: Told): boolean {
  if (Math.min(one.words.size, other.words.size) < SAME * Math.max(one.words.size, other.words.size)) return false;
  if (sharedPart(one.words, other.words) < SAME || sharedPart(one.takes, other.takes) < SAME) return false;
  return !(saysItsName(one, other) || saysItsName(other, one));
}

/** Whether a word of its name, which the other description lacks, is in its own one: `open` of `listOpenIssues`. */
function saysItsName({ name, words }: Told, other: Told): boolean {
  return [...words].some((word) => !other.words.has(word) && name.has(word));
}

/** The part of all words that both have; 1 if both are empty. */
function sharedPart(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of one) if (other.has(word)) shared++;
  const all = one.size + other.size - shared;
  return all === 0 ? 1 : shared / all;
}

function breachOf({ entry }: Told, others: readonly Told[]): RuleBreach {
  const names = others.slice(0, 3).map((other) => shownName(other.entry));
  const more = others.length > names.length ? ` and ${others.length - names.length} more` : '';
  return {
    entry,
    problem: `it says the same as ${names.join(', ')}${more}`,
    fix: `Say what only ${shownName(entry)} does, and when to use ${names[0] ?? 'the other'} instead; or make one tool of both, with an argument.`,
  };
}
