/** Tasks of `n` instances and one node of Redis: what the node does for them, and how many it carries. All of it grows in proportion. */
import { FULL, MEMORY, NETWORK } from './capacity';

/** What happens to tasks, as it is measured; all but the last for each task or request. */
export const TASK_OPERATIONS = [
  'create a task, and begin it',
  'renew a lease',
  'poll',
  'watch',
  'end',
  'end, watched',
  'idle worker, a second',
] as const;
export type TaskOperation = (typeof TASK_OPERATIONS)[number];

/** What a node does. */
export interface NodeWork {
  readonly commands: number;
  /** Bytes that it reads and writes. */
  readonly bytes: number;
  /** Microseconds of CPU. */
  readonly cpu: number;
}

/** With as few instances as were measured. */
export interface TaskCost extends NodeWork {
  /** Commands by name, those in scripts included. */
  readonly names: Readonly<Record<string, number>>;
  /** What each further instance adds: all of them hear of changes. */
  readonly further: NodeWork;
}

/** All of them, as `npm run simulate -- --measure-tasks` writes them to `task-costs.json`. */
export interface TaskCosts {
  readonly measured: {
    readonly sigil: string;
    readonly node: string;
    readonly redis: string;
    /** Instances, without the further ones and with them. */
    readonly instances: { readonly few: number; readonly many: number };
    readonly tasks: number;
  };
  readonly operations: Readonly<Record<TaskOperation, TaskCost>>;
  /** Bytes that Redis stores for a task that runs. */
  readonly memory: number;
}

/** How tasks behave. */
export interface TaskLives {
  /** Seconds that a task runs. */
  readonly lasts: number;
  /** How its client follows it: with a poll so often (seconds), or with a subscription. */
  readonly followed: { readonly polls: number } | 'watched';
}

/** Seconds between two renewals of a lease of 30 s, the default. */
const RENEWAL = 7.5;

/** What a node does for each task from its creation to its end, and for idle instances a second. */
export function workOf(
  { operations, measured }: TaskCosts,
  instances: number,
  { lasts, followed }: TaskLives,
): { readonly task: NodeWork; readonly idle: NodeWork } {
  const more = Math.max(0, instances - measured.instances.few);
  const of = (operation: TaskOperation): NodeWork =>
    sum([operations[operation], 1], [operations[operation].further, more]);
  const isWatched = followed === 'watched';
  const task = sum(
    [of('create a task, and begin it'), 1],
    [of('renew a lease'), lasts / RENEWAL],
    [of('watch'), isWatched ? 1 : 0],
    [of('poll'), isWatched ? 0 : lasts / followed.polls],
    [of(isWatched ? 'end, watched' : 'end'), 1],
  );
  return { task, idle: sum([operations['idle worker, a second'], instances]) };
}

/** The most tasks a second of a node, and how many run then: until its core, its network or its memory is at its limit. */
export function mostTasks(
  costs: TaskCosts,
  instances: number,
  lives: TaskLives,
): { readonly perSecond: number; readonly running: number } {
  const { task, idle } = workOf(costs, instances, lives);
  const perSecond = Math.max(
    0,
    Math.min(
      (FULL * 1e6 - idle.cpu) / task.cpu,
      (NETWORK - idle.bytes) / task.bytes,
      MEMORY / costs.memory / lives.lasts,
    ),
  );
  return { perSecond, running: perSecond * lives.lasts };
}

function sum(...parts: readonly (readonly [work: NodeWork, times: number])[]): NodeWork {
  const all = (value: (work: NodeWork) => number): number =>
    parts.reduce((whole, [work, times]) => whole + value(work) * times, 0);
  return { commands: all(({ commands }) => commands), bytes: all(({ bytes }) => bytes), cpu: all(({ cpu }) => cpu) };
}
