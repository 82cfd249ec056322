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
  find: (server) => {
    const tools = toolsOf(server)
      .map(told)
      .filter(({ words }) => words.size >= FEWEST_WORDS);
    return tools.flatMap((one, index) => {
      const others = tools.slice(index + 1).filter((other) => isAlike(one, other));
      return others.length === 0 ? [] : [breachOf(one, others)];
    });
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
