/** `tasks()`: the extension, as one value. */
import {
  extensionMethod,
  type Extension,
  type ExtensionServices,
  type Logger,
  type ReportProblem,
  type Stoppable,
} from '@sigil-mcp/core';
import { lifeOf, type MaybePromise } from '@sigil-mcp/core/adapter';
import {
  unawaited,
  checkOptions,
  checkShares,
  isObject,
  membersOf,
  OPTION_RULES,
  problem,
  type OptionRule,
  type OptionRules,
} from '@sigil-mcp/core/internal';
import { StoreAway } from '@sigil-mcp/core/stores';
import { TaskBoard } from './board';
import { taskError, taskProblem } from './errors';
import { TASKS } from './names';
import type { TaskState } from './record/task-state';
import { detailsOf } from './record/task-view';
import { taskStage } from './served/create-task';
import { cancelTask, getTask, TASK_IDS, updateTask, type ListenedAccess, type TaskMethods } from './served/handlers';
import { TASK, TASK_CHANGED, TASKS_CANCEL, TASKS_GET, TASKS_UPDATE } from './served/operations';
import { ListenedTasks } from './served/listened-tasks';
import { resolveOptions, TASK_OPTION, TASK_SETTINGS, type ResolvedTasks, type TasksOptions } from './tasks-options';
import { roomOf } from './task-room';
import { StoreTime } from './store-time';
import { reportedStore, type TaskStore } from './stores/task-store';
import { TaskWorker } from './worker/worker';

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

/** What there is of one server while it runs. */
interface StartedTasks extends TaskMethods, ListenedAccess, Stoppable {
  readonly options: ResolvedTasks;
}

/**
 * Tasks: calls of tools that outlive their request. A tool with the option `task` is a call for clients that do not know tasks, and a task for
 * those that do: the same method, with the same progress, questions and cancellation.
 * @example
 * class ReportFeature {
 *   ```@Tool('Writes the yearly report', { task: 'optional' })```
 *   async report({ year }: Year, context: McpContext) { ... }
 * }
 * createServer({ name: 'reports', version: '1.0.0', features: [ReportFeature], extensions: [tasks()] });
 * @see https://github.com/modelcontextprotocol/ext-tasks/blob/main/specification/draft/tasks.md
 */
export function tasks(options: TasksOptions = {}): Extension<object> {
  const extension: Extension<StartedTasks> = {
    name: TASKS,
    options: [TASK_OPTION],
    protocol: {
      methods: [
        extensionMethod(TASKS_GET, getTask, { isPublic: true }),
        extensionMethod(TASKS_UPDATE, updateTask, { isPublic: true }),
        extensionMethod(TASKS_CANCEL, cancelTask, { isPublic: true }),
      ],
      resultTypes: [TASK],
      serverNotifications: [TASK_CHANGED],
      listenFields: [TASK_IDS],
    },
    stage(entry) {
      const settings = TASK_SETTINGS.of(entry);
      return settings && taskStage(settings);
    },
    checkAll: (_entries, report) => checkTasksOptions(options, report),
    start: (services) => start(resolveOptions(options), services),
  };
  return extension;
}

/** The server uses the store no longer: nobody does, if it was the last one. */
function leave(store: TaskStore): MaybePromise<void> {
  return lifeOf(store).leave(() => store.close?.());
}

async function start(options: ResolvedTasks, services: ExtensionServices): Promise<StartedTasks> {
  const { store, work, limits } = options;
  const { clock, logger } = services;
  checkStore(store, services);
  const reported = reportedStore(store, reportFailures(services));
  const time = new StoreTime(reported, clock);
  const notify = (state: TaskState): void => {
    const { owner, id } = state;
    services.notify(TASK_CHANGED, detailsOf(state, time.now()), { principal: owner ?? undefined, subject: id });
  };
  const board: TaskBoard = new TaskBoard({
    store: reported,
    room: roomOf(limits),
    time,
    sealer: store.isDurable ? services.seal('task') : undefined,
    changed: (state) => {
      listened?.told(state);
      notify(state);
    },
    unreadable: warnOfUnreadable(logger),
  });
  // With stores, notifications reach the subscriptions of all instances.
  const listened = store.isDurable && !services.hasStores ? new ListenedTasks(board, notify) : undefined;
  const { name } = services.server;
  await lifeOf(store).enter(() => store.open?.(name, services.account), name);
  try {
    await follow(time, services);
    if (listened) board.watch((id) => unawaited(listened.changed(id)));
  } catch (error) {
    // A server that does not start does not stop, either.
    await leave(store);
    throw error;
  }
  const worker = work ? new TaskWorker(board, services, options) : undefined;
  worker?.start();
  const stop = async (): Promise<void> => {
    await worker?.stop();
    await leave(store);
  };
  return { board, services, options, listened, limits, offer: (id) => worker?.offer(id), stop };
}

/** Says what the store and the server do not have in common. @throws SigilError where tasks cannot be sealed */
function checkStore(store: TaskStore, services: ExtensionServices): void {
  if (store.isDurable && !services.hasSecrets) throw taskError('SIGIL_TASKS_SECRETS');
  if (!store.isDurable && services.hasStores)
    services.logger.warn(
      {},
      'This server has stores for several instances, and keeps tasks in the memory of each: a client that reaches another instance does not find its tasks. Give tasks({ store }) a store that the instances share.',
    );
}

/** Goes by the time of the store from now on. */
async function follow(time: StoreTime, { closing, logger }: ExtensionServices): Promise<void> {
  const ahead = await time.follow(closing);
  if (Math.abs(ahead) > CLOCK_DIFFERENCE) logger.warn({ milliseconds: Math.round(ahead) }, WRONG_CLOCK);
}

/** Milliseconds by which the date of this process may differ from that of its store without a warning. */
const CLOCK_DIFFERENCE = 2000;
const WRONG_CLOCK =
  'The clock of this machine differs from that of the store of tasks. Tasks go by the time of the store; tokens, logs and certificates go by the clock of the machine: set it, best by a time server.';

/** Milliseconds between two lines of the log about a store that fails. */
const REPORT_INTERVAL = 10_000;

/** Logs why the store fails, from time to time: its commands are tried again and again. */
function reportFailures({ clock, logger }: ExtensionServices): (error: unknown) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (clock.elapsed() < last + REPORT_INTERVAL) return;
    last = clock.elapsed();
    const err: unknown = error instanceof StoreAway ? (error.cause ?? error) : error;
    logger.warn({ err }, 'The store of tasks has failed: until it works again, requests about tasks are refused');
  };
}

/** Says once that there are such tasks. */
function warnOfUnreadable(logger: Logger): () => void {
  let isWarned = false;
  return () => {
    if (!isWarned) logger.warn({}, UNREADABLE);
    isWarned = true;
  };
}

const UNREADABLE =
  'The store has tasks that this server cannot open, because they were sealed with a secret that it does not have: it leaves them to other instances, and removes them three days after they were due. While secrets are rotated, give every instance the old ones and the new one.';

/** Reports options that do not exist, values that do not fit, and options that do not fit each other. */
function checkTasksOptions(options: unknown, report: ReportProblem): void {
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
