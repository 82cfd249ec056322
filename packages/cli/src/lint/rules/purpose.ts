/** Rules about what a definition is for. */
import { isPlaceholder } from '../../placeholder';
import { shownName, type OfferedEntry } from '../../offer/offered-server';
import { textOfEntry, toolsOf, type DefinitionRule } from '../definition-rule';
import { meaningWords, nameWords, stem } from '../words-of';

/** Words of a description that has one word besides those of the name: `Greets at once` says too little. */
const FEWEST_WORDS = 4;
/** Characters of a description that a model reads in every conversation and mostly without need. */
const LONGEST = 1_000;
const FIX = 'Say what it does, when to use it, and what it returns.';
/** Files of skills are described by their skill. */
const SKILL = 'skill://';

/** Descriptions that say nothing, or only the name again. */
export const unclearPurpose: DefinitionRule = {
  name: 'unclear-purpose',
  asks: 'A description says what a tool does, in other words than its name',
  severity: 'warning',
  dimension: 'purpose',
  looksAt: 'entries',
  judge(entry) {
    const problem = unclearIn(entry);
    // Hosts show resources to people, by their names.
    const severity = entry.kind === 'tool' || entry.kind === 'prompt' ? 'warning' : 'hint';
    return problem !== undefined && { problem, fix: FIX, severity };
  },
};

function unclearIn(entry: OfferedEntry): string | undefined {
  const { key } = entry;
  if (key.startsWith(SKILL)) return undefined;
  const text = textOfEntry(entry, 'description');
  if (text === '') return 'it has no description';
  if (isPlaceholder(text)) return undefined;
  const name = new Set([...nameWords(key).map(stem), 'tool']);
  const own = [...meaningWords(text)].filter((word) => !name.has(word));
  if (own.length > 1 || (own.length === 1 && nameWords(text).length >= FEWEST_WORDS)) return undefined;
  // Languages without spaces have one word for a sentence.
  if (/[^\p{Script=Latin}\p{Script=Common}]/u.test(text)) return undefined;
  return `its description says little more than its name: "${text}"`;
}

/** Texts that were to be replaced. */
const PLACEHOLDER =
  /^\s*(?:TODO|FIXME|TBD|XXX)\b|\blorem ipsum\b|^\s*\[?(?:your |add |insert |enter )?(?:a |the )?(?:tool )?description(?: here| goes here)?\]?[.!]?\s*$|<(?:your|insert|add) [a-z ]{1,30}>/i;

/** Texts that were to be replaced. */
export const placeholderText: DefinitionRule = {
  name: 'placeholder',
  asks: 'No text is a placeholder',
  severity: 'error',
  dimension: 'purpose',
  looksAt: 'prose',
  judge: ({ where, text }) =>
    PLACEHOLDER.test(text) && {
      problem: `${where} is a placeholder: "${text.trim().slice(0, 60)}"`,
      fix: 'Write what a model should read instead.',
    },
};

/** Descriptions that are a page long. */
export const longDescription: DefinitionRule = {
  name: 'long-description',
  asks: 'A description is as short as it can be',
  severity: 'hint',
  dimension: 'conciseness',
  looksAt: 'prose',
  judge: ({ entry, where, text }) =>
    entry?.kind === 'tool' &&
    text.length > LONGEST && {
      problem: `${where} has ${text.length} characters, which a model reads in every conversation`,
      fix: `Shorten what ${shownName(entry)} says, or move details to a resource or a skill that a model reads on demand.`,
    },
};

/** Names that differ in their spelling alone. */
export const sameSpelling: DefinitionRule = {
  name: 'names-alike',
  asks: 'Names differ in more than capital letters and separators',
  severity: 'warning',
  dimension: 'usage',
  looksAt: 'server',
  *find(server) {
    const spelled = new Map<string, OfferedEntry[]>();
    for (const entry of toolsOf(server)) {
      const key = nameWords(entry.key).join('');
      spelled.set(key, [...(spelled.get(key) ?? []), entry]);
    }
    for (const [entry, ...others] of spelled.values())
      if (others.length > 0)
        yield {
          entry,
          problem: `its name is that of ${others.map(shownName).join(', ')} in another spelling`,
          fix: 'Rename one of them after what only it does.',
        };
  },
};
