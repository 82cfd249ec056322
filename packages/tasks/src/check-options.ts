/** The options of `tasks`, as JavaScript or a cast may pass them. */
import { checkShares, isObject, nameValue } from '@sigil-mcp/core/adapter';
import type { ReportProblem } from '@sigil-mcp/core';
import { taskProblem } from './errors';

interface Kind {
  readonly wanted: string;
  readonly fits: (value: unknown) => boolean;
}

const WHERE = 'createServer({ extensions })';
/** Of a store: the commands of the port. */
const COMMANDS = ['create', 'read', 'replace', 'remove', 'due', 'count', 'watch'];

const isPositive = (value: unknown): boolean => typeof value === 'number' && value > 0;
const isWhole = (value: unknown): boolean => value === Infinity || (Number.isSafeInteger(value) && Number(value) >= 1);
const TIME: Kind = { wanted: 'milliseconds, more than 0', fits: isPositive };
const COUNT: Kind = { wanted: 'a whole number of at least 1, or Infinity', fits: isWhole };

const LIMITS: Readonly<Record<string, Kind>> = {
  tasks: COUNT,
  tasksPerClient: COUNT,
  kept: COUNT,
  keptPerClient: COUNT,
  polls: { wanted: "a rate, as in { calls: 600, per: 'minute' }", fits: isRate },
};

const OPTIONS: Readonly<Record<string, Kind>> = {
  store: { wanted: 'a store, such as new MemoryTaskStore()', fits: isStore },
  work: { wanted: 'true or false', fits: (value) => typeof value === 'boolean' },
  concurrency: COUNT,
  concurrencyPerClient: COUNT,
  waiting: { wanted: 'a whole number, or Infinity', fits: (value) => value === 0 || isWhole(value) },
  lease: { wanted: 'milliseconds, at least 1000', fits: (value) => Number.isFinite(value) && Number(value) >= 1000 },
  ttl: TIME,
  pollInterval: { wanted: TIME.wanted, fits: (value) => isPositive(value) && Number.isFinite(value) },
  limits: { wanted: 'an object', fits: isObject },
  rights: { wanted: 'a function', fits: (value) => typeof value === 'function' },
};

/** Reports options that do not exist, and values that do not fit. */
export function checkOptions(options: unknown, report: ReportProblem): void {
  if (!isObject(options))
    return report(
      taskProblem('SIGIL_TASKS_OPTION', WHERE, { option: '…', value: nameValue(options), wanted: 'an object' }),
    );
  checkMembers(options, { kinds: OPTIONS, prefix: '' }, report);
  const { limits, work, store } = options;
  if (isObject(limits)) {
    checkMembers(limits, { kinds: LIMITS, prefix: 'limits.' }, report);
    checkShares(limits, { tasksPerClient: ['tasks', 1], keptPerClient: ['kept', 1] }, ({ limit, value, all, most }) =>
      report(
        taskProblem('SIGIL_TASKS_OPTION', WHERE, {
          ...{ option: `limits.${limit}`, value },
          wanted: `at most limits.${all} (${most}), of which it is the share of one client`,
        }),
      ),
    );
  }
  const isShared = isObject(store) && store['isDurable'] === true;
  if (work === false && !isShared) report(taskProblem('SIGIL_TASKS_NOBODY', WHERE));
}

function checkMembers(
  given: Readonly<Record<string, unknown>>,
  { kinds, prefix }: { readonly kinds: Readonly<Record<string, Kind>>; readonly prefix: string },
  report: ReportProblem,
): void {
  for (const [name, value] of Object.entries(given)) {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (value === undefined || kind?.fits(value)) continue;
    const wanted = kind?.wanted ?? `one of the options ${Object.keys(kinds).join(', ')}`;
    report(taskProblem('SIGIL_TASKS_OPTION', WHERE, { option: `${prefix}${name}`, value: nameValue(value), wanted }));
  }
}

function isStore(value: unknown): boolean {
  return isObject(value) && COMMANDS.every((command) => typeof value[command] === 'function');
}

function isRate(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { calls, per } = value;
  return isWhole(calls) && (isPositive(per) || per === 'second' || per === 'minute' || per === 'hour');
}
