/** Rules about what calls do. */
import { isObject } from '@sigil-mcp/base';
import { shownName, type OfferedEntry } from '../../offer/offered-server';
import { textOfEntry, type DefinitionRule, type RuleBreach } from '../definition-rule';
import { nameWords } from '../words-of';

const DESTROYS = new Set(
  'delete remove drop destroy purge erase wipe truncate uninstall revoke terminate kill'.split(' '),
);
const CHANGES = new Set(
  'create add write update set put insert send post move rename upload edit save publish'.split(' '),
);
const READS = new Set('get list find search read show count fetch query describe lookup view check'.split(' '));

/** The annotations that a tool has. */
function hintsOf({ listed: { annotations } }: OfferedEntry) {
  const hints = isObject(annotations) ? annotations : {};
  const hint = (name: string): boolean | undefined => {
    const value = hints[`${name}Hint`];
    return typeof value === 'boolean' ? value : undefined;
  };
  return {
    readOnly: hint('readOnly'),
    destructive: hint('destructive'),
    idempotent: hint('idempotent'),
    openWorld: hint('openWorld'),
  };
}

function verbOf({ key }: OfferedEntry): string {
  return nameWords(key)[0] ?? '';
}

/** Annotations that contradict each other, or the name. */
export const contradictoryHints: DefinitionRule = {
  name: 'contradictory-hints',
  asks: 'Annotations fit each other and the name',
  severity: 'error',
  dimension: 'behaviour',
  looksAt: 'tools',
  judge(entry) {
    const { readOnly, destructive } = hintsOf(entry);
    const verb = verbOf(entry);
    if (readOnly !== true) return undefined;
    if (destructive === true)
      return { problem: 'it is read-only and destructive', fix: 'Remove readOnly: true or destructive: true.' };
    return (
      DESTROYS.has(verb) && {
        problem: `it says that it is read-only, and its name that it will ${verb}`,
        fix: 'Replace readOnly: true with destructive: true, or rename it.',
      }
    );
  },
};

/** Tools whose name says that they change something, and whose annotations do not. */
export const silentEffects: DefinitionRule = {
  name: 'silent-effects',
  asks: 'Annotations say whether a tool only reads, or may destroy something',
  severity: 'warning',
  dimension: 'behaviour',
  looksAt: 'tools',
  judge(entry) {
    const { readOnly, destructive, idempotent } = hintsOf(entry);
    const verb = verbOf(entry);
    if (readOnly !== undefined || destructive !== undefined) return undefined;
    if (DESTROYS.has(verb))
      return {
        problem: `its name says that it will ${verb}, and no annotation says so`,
        fix: 'Write { destructive: true }, so that hosts ask before they call it.',
      };
    const problem = 'no annotation says what it changes, so that hosts expect the worst';
    // Otherwise its author has thought of its effects.
    return idempotent === undefined && { problem, fix: fixOf(verb), severity: 'hint' };
  },
};

function fixOf(verb: string): string {
  if (READS.has(verb)) return 'Write { readOnly: true } if it changes nothing: hosts then call it without a question.';
  return CHANGES.has(verb)
    ? 'Write { destructive: false } if it only adds, or { destructive: true } if something is lost.'
    : 'Write { readOnly: true } if it changes nothing, or { destructive: false } if it only adds.';
}

/** Words for what costs money, of which one has to be in the description. */
const MONEY = /\b(?:money|payments?|invoices?|card|funds|refunds?|orders?|purchases?|subscriptions?|bank)\b/i;
const PAYS = new Set('pay charge refund transfer withdraw purchase buy checkout payout'.split(' '));

/** Tools that move money and ask nobody. */
export const movesMoney: DefinitionRule = {
  name: 'moves-money',
  asks: 'A tool that moves money asks the user',
  severity: 'hint',
  dimension: 'safety',
  snyk: 'W009',
  looksAt: 'tools',
  judge: (entry) =>
    PAYS.has(verbOf(entry)) &&
    MONEY.test(textOfEntry(entry, 'description')) &&
    entry.access?.asks !== true && {
      problem: 'it moves money, and the program does not ask the user',
      fix: 'Let the user confirm it with context.elicit, or accept it with --allow moves-money.',
    },
};

/** Combinations of tools that let content of strangers do harm. */
export const toxicFlows: DefinitionRule = {
  name: 'toxic-flow',
  asks: 'No caller has tools that read content of strangers and tools that it could misuse',
  severity: 'hint',
  dimension: 'safety',
  snyk: 'TF001, TF002',
  looksAt: 'server',
  find: ({ audiences }) => audiences.map(({ sees }) => [...flowsOf(sees)]).find(({ length }) => length > 0) ?? [],
};

function* flowsOf(sees: readonly OfferedEntry[]): Iterable<RuleBreach> {
  const tools = sees.filter(({ kind }) => kind === 'tool').map((entry) => ({ entry, hints: hintsOf(entry) }));
  const source = tools.find(({ hints }) => hints.openWorld === true && hints.readOnly === true);
  if (!source) return;
  const { entry } = source;
  const destroyer = tools.find(({ hints, entry: { access } }) => hints.destructive === true && access?.asks !== true);
  const sink = tools.find(({ hints }) => hints.openWorld === true && hints.readOnly !== true);
  const secret = tools.find(
    ({ hints, entry: { access } }) => hints.openWorld === false && (access?.scopes ?? []).length > 0,
  );
  if (destroyer)
    yield {
      entry,
      problem: `what it reads can make a model call ${shownName(destroyer.entry)}, which is destructive (TF002)`,
      fix: `Let ${shownName(destroyer.entry)} ask the user, or give both to different callers by scopes.`,
    };
  if (sink && secret)
    yield {
      entry,
      problem: `what it reads can make a model send what ${shownName(secret.entry)} returns by ${shownName(sink.entry)} (TF001)`,
      fix: `Let ${shownName(sink.entry)} ask the user, or give them to different callers by scopes.`,
    };
}
