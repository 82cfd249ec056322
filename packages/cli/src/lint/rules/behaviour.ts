/** Rules about what calls do. */
import { isObject } from '@sigil-mcp/base';
import { shownName, type OfferedEntry } from '../../offer/offered-server';
import { textOfEntry, toolsOf, type DefinitionRule, type RuleBreach } from '../definition-rule';
import { nameWords } from '../words-of';

const DESTROYS = new Set(
  'delete remove drop destroy purge erase wipe truncate uninstall revoke terminate kill'.split(' '),
);
const CHANGES = new Set(
  'create add write update set put insert send post move rename upload edit save publish'.split(' '),
);
const READS = new Set('get list find search read show count fetch query describe lookup view check'.split(' '));

interface ToolHints {
  readonly readOnly: boolean | undefined;
  readonly destructive: boolean | undefined;
  readonly idempotent: boolean | undefined;
  readonly openWorld: boolean | undefined;
}

function hintsOf({ listed: { annotations } }: OfferedEntry): ToolHints {
  const hints = isObject(annotations) ? annotations : {};
  const hint = (name: string): boolean | undefined => {
    const value = hints[name];
    return typeof value === 'boolean' ? value : undefined;
  };
  return {
    readOnly: hint('readOnlyHint'),
    destructive: hint('destructiveHint'),
    idempotent: hint('idempotentHint'),
    openWorld: hint('openWorldHint'),
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
  find: (server) => toolsOf(server).flatMap((entry) => contradictionsOf(entry)),
};

function contradictionsOf(entry: OfferedEntry): readonly RuleBreach[] {
  const { readOnly, destructive } = hintsOf(entry);
  const verb = verbOf(entry);
  if (readOnly === true && destructive === true)
    return [{ entry, problem: 'it is read-only and destructive', fix: 'Remove readOnly: true or destructive: true.' }];
  if (readOnly === true && DESTROYS.has(verb))
    return [
      {
        entry,
        problem: `it says that it is read-only, and its name that it will ${verb}`,
        fix: 'Replace readOnly: true with destructive: true, or rename it.',
      },
    ];
  return [];
}

/** Tools whose name says that they change something, and whose annotations do not. */
export const silentEffects: DefinitionRule = {
  name: 'silent-effects',
  asks: 'Annotations say whether a tool only reads, or may destroy something',
  severity: 'warning',
  dimension: 'behaviour',
  find: (server) => toolsOf(server).flatMap((entry) => silentOf(entry)),
};

function silentOf(entry: OfferedEntry): readonly RuleBreach[] {
  const { readOnly, destructive, idempotent } = hintsOf(entry);
  if (readOnly !== undefined || destructive !== undefined) return [];
  const verb = verbOf(entry);
  if (DESTROYS.has(verb))
    return [
      {
        entry,
        problem: `its name says that it will ${verb}, and no annotation says so`,
        fix: 'Write { destructive: true }, so that hosts ask before they call it.',
      },
    ];
  // Its author has thought of its effects.
  if (idempotent !== undefined) return [];
  const fix = READS.has(verb)
    ? 'Write { readOnly: true } if it changes nothing: hosts then call it without a question.'
    : CHANGES.has(verb)
      ? 'Write { destructive: false } if it only adds, or { destructive: true } if something is lost.'
      : 'Write { readOnly: true } if it changes nothing, or { destructive: false } if it only adds.';
  return [
    { entry, problem: 'no annotation says what it changes, so that hosts expect the worst', fix, severity: 'hint' },
  ];
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
  find: (server) =>
    toolsOf(server)
      .filter((entry) => PAYS.has(verbOf(entry)) && MONEY.test(textOfEntry(entry, 'description')))
      .filter(({ access }) => access?.asks !== true)
      .map((entry) => ({
        entry,
        problem: 'it moves money, and the program does not ask the user',
        fix: 'Let the user confirm it with context.elicit, or accept it with --allow moves-money.',
      })),
};

/** Combinations of tools that let content of strangers do harm. */
export const toxicFlows: DefinitionRule = {
  name: 'toxic-flow',
  asks: 'No caller has tools that read content of strangers and tools that it could misuse',
  severity: 'hint',
  dimension: 'safety',
  snyk: 'TF001, TF002',
  find: ({ audiences }) => audiences.map(({ sees }) => flowsOf(sees)).find(({ length }) => length > 0) ?? [],
};

function flowsOf(sees: readonly OfferedEntry[]): readonly RuleBreach[] {
  const tools = sees.filter(({ kind }) => kind === 'tool').map((entry) => ({ entry, hints: hintsOf(entry) }));
  const source = tools.find(({ hints }) => hints.openWorld === true && hints.readOnly === true);
  if (!source) return [];
  const destroyer = tools.find(({ hints, entry }) => hints.destructive === true && entry.access?.asks !== true);
  const sink = tools.find(({ hints }) => hints.openWorld === true && hints.readOnly !== true);
  const secret = tools.find(({ hints, entry }) => hints.openWorld === false && (entry.access?.scopes ?? []).length > 0);
  return [
    ...(destroyer
      ? [
          {
            entry: source.entry,
            problem: `what it reads can make a model call ${shownName(destroyer.entry)}, which is destructive (TF002)`,
            fix: `Let ${shownName(destroyer.entry)} ask the user, or give both to different callers by scopes.`,
          },
        ]
      : []),
    ...(sink && secret
      ? [
          {
            entry: source.entry,
            problem: `what it reads can make a model send what ${shownName(secret.entry)} returns by ${shownName(sink.entry)} (TF001)`,
            fix: `Let ${shownName(sink.entry)} ask the user, or give them to different callers by scopes.`,
          },
        ]
      : []),
  ];
}
