/** The options of `tasks`, and their defaults. */
import {
  createFact,
  entryOption,
  type CallerRecord,
  type EntryOption,
  type MaybePromise,
  type Rate,
} from '@sigil-mcp/core';
import { isObject, nameValue, oneOf, shareOf, type OptionRule } from '@sigil-mcp/core/internal';
import { taskWords } from './errors';
import { TASKS } from './names';
import { MemoryTaskStore } from './stores/memory';
import type { TaskStore } from './stores/task-store';

/** Limits of what clients can make a server keep; `Infinity` for no limit. */
export interface TaskLimits {
  /** Tasks of all clients whose work has not ended; 10,000 if left out. */
  readonly tasks?: number;
  /** Tasks of one client whose work has not ended; a tenth of `tasks` if left out, and at most 100. A caller without an identity counts by its address. */
  readonly tasksPerClient?: number;
  /**
   * Bytes that the tasks of all clients take in the store: arguments, questions, answers, results of `once` and results, also of tasks that have
   * ended, until they are removed. 1 GiB if left out; in the memory of this process, where they are part of `limits.held` of the server, no limit of
   * their own.
   */
  readonly kept?: number;
  /** The same for one client; a quarter of `kept` if left out, and at most 64 MiB; in memory, where `limits.heldPerClient` counts, no limit of its own. */
  readonly keptPerClient?: number;
  /** How often one client may poll all of its tasks; a subscription is one poll for each 20 tasks that it names. 600 times a minute if left out. */
  readonly polls?: Rate;
}

/** What a caller may do now. */
export interface CurrentRights {
  readonly scopes: readonly string[];
  /** As the caller had them when the task was made, if left out. */
  readonly roles?: readonly string[];
}

/** The options of `tasks`. */
export interface TasksOptions {
  /** Where tasks are kept; in the memory of this process if left out: then they end with it, and other instances do not find them. */
  readonly store?: TaskStore;
  /** Whether this process runs tasks, true if left out. `false` is for instances that only take requests: others, with the same store, run the tasks. */
  readonly work?: boolean;
  /** Tasks that this process runs at the same time; 32 if left out. Tasks that wait for an answer do not count. */
  readonly concurrency?: number;
  /**
   * Tasks of one client that this process runs at the same time; half of `concurrency`, rounded up, if left out. Clients take turns for what is
   * free. A local client is the only one, and has all.
   */
  readonly concurrencyPerClient?: number;
  /**
   * Handlers that may wait for answers in the memory of this process; 1,000 if left out. A handler beyond that is ended at its question, and
   * runs again from its beginning when the answer has arrived.
   */
  readonly waiting?: number;
  /**
   * Milliseconds for which a worker has a task; it renews the lease while it works. 30,000 if left out; without limit in the memory of this
   * process, where no other worker can have it.
   */
  readonly lease?: number;
  /** Milliseconds that a task is kept from its creation, `Infinity` for ever; 86,400,000 (a day) if left out. */
  readonly ttl?: number;
  /** Milliseconds that clients are asked to wait between polls; 1,000 if left out. */
  readonly pollInterval?: number;
  /** Limits of what clients can make the server keep; those of `TaskLimits` if left out. */
  readonly limits?: TaskLimits;
  /**
   * Asks who manages identities what a caller may do now: before a task runs, and before it goes on after a question. Undefined ends the task.
   * What is not answered within 10 s, or half of the lease, is asked again; other tasks do not wait for it.
   * If left out, a caller has the rights of the newest request about the task.
   */
  readonly rights?: (caller: CallerRecord) => MaybePromise<CurrentRights | undefined>;
}

/** Options with their defaults. */
export interface ResolvedTasks {
  readonly store: TaskStore;
  readonly work: boolean;
  readonly concurrency: number;
  readonly concurrencyPerClient: number;
  readonly waiting: number;
  readonly lease: number;
  readonly ttl: number;
  readonly pollInterval: number;
  readonly limits: Required<TaskLimits>;
  readonly rights: TasksOptions['rights'];
}

const DAY = 86_400_000;
/** A lease without limit, as a finite number: a century. A machine that sleeps, or whose clock is set, then costs no task. */
const UNLIMITED_LEASE = 36_525 * DAY;
const MIB = 1024 * 1024;
const KEPT_ELSEWHERE = 1024 * MIB;
/** A client has such a part of the limits of all clients, and no more than that much. */
const SHARES_OF_TASKS = 10;
const MOST_TASKS = 100;
const SHARES_OF_KEPT = 4;
const MOST_KEPT = 64 * MIB;

/** Fills in what is left out. */
export function resolveOptions({ limits = {}, ...options }: TasksOptions): ResolvedTasks {
  const store = options.store ?? new MemoryTaskStore();
  const concurrency = options.concurrency ?? 32;
  return {
    store,
    work: options.work ?? true,
    concurrency,
    concurrencyPerClient: options.concurrencyPerClient ?? Math.ceil(concurrency / 2),
    waiting: options.waiting ?? 1000,
    lease: options.lease ?? (store.isDurable ? 30_000 : UNLIMITED_LEASE),
    ttl: options.ttl ?? DAY,
    pollInterval: options.pollInterval ?? 1000,
    rights: options.rights,
    limits: resolveLimits(limits, store),
  };
}

function resolveLimits(limits: TaskLimits, { isDurable }: TaskStore): Required<TaskLimits> {
  const { tasks = 10_000 } = limits;
  const kept = limits.kept ?? (isDurable ? KEPT_ELSEWHERE : Infinity);
  return {
    tasks,
    tasksPerClient: limits.tasksPerClient ?? Math.min(MOST_TASKS, shareOf(tasks, SHARES_OF_TASKS)),
    kept,
    keptPerClient:
      limits.keptPerClient ?? (kept === Infinity ? Infinity : Math.min(MOST_KEPT, shareOf(kept, SHARES_OF_KEPT))),
    polls: limits.polls ?? { calls: 600, per: 'minute' },
  };
}

// The option `task` of tools.

/** Whether a tool can run as a task, or only so. */
export type TaskSupport = 'optional' | 'required';

/** How a tool runs as a task. */
export interface TaskSettings {
  /**
   * `optional`: clients that do not know tasks call the tool as ever. `required`: such clients are refused. `optional` if left out.
   */
  readonly support?: TaskSupport;
  /**
   * When the call becomes a task: at once, or where its handler calls `startTask(context)`, so that questions before that are asked with the
   * request. `at-once` if left out.
   */
  readonly starts?: 'at-once' | 'in-handler';
  /**
   * How often it runs again if its worker is lost while it works: `never`, so that nothing happens twice and the task fails, or a number. What
   * `once` has kept is not done again. `never` if left out.
   */
  readonly retry?: 'never' | number;
  /** Milliseconds that a task is kept from its creation, `Infinity` for ever; `tasks({ ttl })` if left out. */
  readonly ttl?: number;
  /** Milliseconds that clients are asked to wait between polls; `tasks({ pollInterval })` if left out. */
  readonly pollInterval?: number;
}

declare module '@sigil-mcp/core' {
  interface ToolOptions {
    /**
     * Whether a call can be a task, which outlives its request; never, if left out. The server needs `extensions: [tasks()]`.
     * @example task: 'optional'
     */
    readonly task?: TaskSupport | TaskSettings;
  }
}

/** What the option says. */
export const TASK_SETTINGS = createFact<TaskSettings>({ label: 'The option task', extension: TASKS });

const isTime = (value: unknown): boolean => typeof value === 'number' && value > 0;

const MEMBERS: Readonly<Record<string, OptionRule>> = {
  support: oneOf('optional', 'required'),
  starts: oneOf('at-once', 'in-handler'),
  retry: {
    wanted: "'never' or a whole number of at least 1",
    fits: (value) => value === 'never' || (Number.isSafeInteger(value) && Number(value) >= 1),
  },
  ttl: { wanted: 'milliseconds, more than 0', fits: isTime },
  pollInterval: { wanted: 'milliseconds, more than 0', fits: (value) => isTime(value) && Number.isFinite(value) },
};

/** Adds the option to tools. */
export const TASK_OPTION: EntryOption = entryOption({
  kind: 'tool',
  name: 'task',
  fact: TASK_SETTINGS,
  read(value, report) {
    const settings = typeof value === 'string' ? { support: value } : value;
    if (!isObject(settings) || Array.isArray(settings)) {
      const wanted = "'optional', 'required' or an object";
      report(taskWords('SIGIL_TASK_OPTION', { member: '', value: nameValue(value), wanted }));
      return undefined;
    }
    const wrong = Object.entries(settings).filter(([name, each]) => each !== undefined && !memberOf(name)?.fits(each));
    for (const [name, each] of wrong) {
      const wanted = memberOf(name)?.wanted ?? `only ${Object.keys(MEMBERS).join(', ')}`;
      const member = settings === value ? `.${name}` : '';
      report(taskWords('SIGIL_TASK_OPTION', { member, value: nameValue(each), wanted }));
    }
    // All members were checked.
    return wrong.length === 0 ? settings : undefined;
  },
});

function memberOf(name: string): OptionRule | undefined {
  return Object.hasOwn(MEMBERS, name) ? MEMBERS[name] : undefined;
}
