/** What the options of `tasks` may be. */
import type { ReportProblem } from '@sigil-mcp/core';
import {
  checkOptions,
  checkShares,
  isObject,
  membersOf,
  OPTION_RULES,
  problem,
  type OptionRule,
  type OptionRules,
} from '@sigil-mcp/core/adapter';
import { taskProblem } from './errors';

const WHERE = 'createServer({ extensions })';
/** Of a store: the commands of the port. */
const COMMANDS = ['create', 'read', 'replace', 'remove', 'due', 'count', 'watch'];

const isPositive = (value: unknown): boolean => typeof value === 'number' && value > 0;
const isWhole = (value: unknown): boolean => value === Infinity || (Number.isSafeInteger(value) && Number(value) >= 1);
const TIME: OptionRule = { wanted: 'milliseconds, more than 0', fits: isPositive };
const COUNT: OptionRule = { wanted: 'a whole number of at least 1, or Infinity', fits: isWhole };

const LIMITS: OptionRules = {
  tasks: COUNT,
  tasksPerClient: COUNT,
  kept: COUNT,
  keptPerClient: COUNT,
  polls: { wanted: "a rate, as in { calls: 600, per: 'minute' }", fits: isRate },
};

const OPTIONS: OptionRules = {
  store: { wanted: 'a store, such as new MemoryTaskStore()', fits: isStore },
  work: OPTION_RULES.flag,
  concurrency: COUNT,
  concurrencyPerClient: COUNT,
  waiting: { wanted: 'a whole number, or Infinity', fits: (value) => value === 0 || isWhole(value) },
  lease: { wanted: 'milliseconds, at least 1000', fits: (value) => Number.isFinite(value) && Number(value) >= 1000 },
  ttl: TIME,
  pollInterval: { wanted: TIME.wanted, fits: (value) => isPositive(value) && Number.isFinite(value) },
  limits: membersOf(LIMITS),
  rights: OPTION_RULES.function,
};

/** Reports options that do not exist, values that do not fit, and options that do not fit each other. */
export function checkTasksOptions(options: unknown, report: ReportProblem): void {
  if (!checkOptions('tasks', options, OPTIONS, report) || !isObject(options)) return;
  const { limits, work, store } = options;
  if (isObject(limits))
    checkShares(limits, { tasksPerClient: ['tasks', 1], keptPerClient: ['kept', 1] }, (large) =>
      report(problem('SIGIL_LIMIT_SHARE', `tasks({ limits: { ${large.limit} } })`, large)),
    );
  const isShared = isObject(store) && store['isDurable'] === true;
  if (work === false && !isShared) report(taskProblem('SIGIL_TASKS_NOBODY', WHERE));
}

function isStore(value: unknown): boolean {
  return isObject(value) && COMMANDS.every((command) => typeof value[command] === 'function');
}

function isRate(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { calls, per } = value;
  return isWhole(calls) && (isPositive(per) || per === 'second' || per === 'minute' || per === 'hour');
}
