/** Rules about what a definition is for. */
import { isPlaceholder } from '../../placeholder';
import { shownName, type OfferedEntry } from '../../offer/offered-server';
import { textOfEntry, type DefinitionRule, type RuleBreach } from '../definition-rule';
import { subjectOf, textsOf } from '../definition-texts';
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
  find: ({ entries }) => entries.flatMap(breachesOf),
};

function breachesOf(entry: OfferedEntry): readonly RuleBreach[] {
  const { kind, key } = entry;
  if (key.startsWith(SKILL)) return [];
  const text = textOfEntry(entry, 'description');
  // Hosts show resources to people, by their names.
  const severity = kind === 'tool' || kind === 'prompt' ? 'warning' : 'hint';
  const breach = (problem: string): readonly RuleBreach[] => [{ entry, problem, fix: FIX, severity }];
  if (text === '') return breach('it has no description');
  if (isPlaceholder(text)) return [];
  const name = new Set([...nameWords(key).map(stem), 'tool']);
  const own = [...meaningWords(text)].filter((word) => !name.has(word));
  if (own.length > 1 || (own.length === 1 && nameWords(text).length >= FEWEST_WORDS)) return [];
  // Languages without spaces have one word for a sentence.
  if (/[^\p{Script=Latin}\p{Script=Common}]/u.test(text)) return [];
  return breach(`its description says little more than its name: "${text}"`);
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
  find: (server) =>
    textsOf(server)
      .filter(({ isProse, text }) => isProse && PLACEHOLDER.test(text))
      .map(({ entry, where, text }) => ({
        ...(entry && { entry }),
        problem: `${where} is a placeholder: "${text.trim().slice(0, 60)}"`,
        fix: 'Write what a model should read instead.',
      })),
};

/** Descriptions that are a page long. */
export const longDescription: DefinitionRule = {
  name: 'long-description',
  asks: 'A description is as short as it can be',
  severity: 'hint',
  dimension: 'conciseness',
  find: (server) =>
    textsOf(server)
      .filter(({ isProse, text, entry }) => isProse && entry?.kind === 'tool' && text.length > LONGEST)
      .map(({ entry, where, text }) => ({
        ...(entry && { entry }),
        problem: `${where} has ${text.length} characters, which a model reads in every conversation`,
        fix: `Shorten what ${subjectOf(entry)} says, or move details to a resource or a skill that a model reads on demand.`,
      })),
};

/** Names that differ in their spelling alone. */
export const sameSpelling: DefinitionRule = {
  name: 'names-alike',
  asks: 'Names differ in more than capital letters and separators',
  severity: 'warning',
  dimension: 'usage',
  find: ({ entries }) => {
    const spelled = new Map<string, OfferedEntry[]>();
    for (const entry of entries.filter(({ kind }) => kind === 'tool')) {
      const key = nameWords(entry.key).join('');
      spelled.set(key, [...(spelled.get(key) ?? []), entry]);
    }
    return [...spelled.values()].flatMap(([entry, ...others]): readonly RuleBreach[] =>
      entry === undefined || others.length === 0
        ? []
        : [
            {
              entry,
              problem: `its name is that of ${others.map(shownName).join(', ')} in another spelling`,
              fix: 'Rename one of them after what only it does.',
            },
          ],
    );
  },
};
