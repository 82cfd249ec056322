/**
 * What tasks must do, written from the specification and from what the options of `tasks` promise, and not from the code: the test compares
 * the two.
 * @see https://github.com/modelcontextprotocol/ext-tasks/blob/main/specification/draft/tasks.md
 */

export const LEASE = 30_000;
/** A handler that waited is preferred for so long. */
const PREFERRED = 1000;
/** A task that has ended can be read for so long, at least. */
const READABLE = 300_000;
/** Tasks of the model, whose work has not ended, that have room at the same time. */
export const MOST = 2;

export const WORKERS = ['one', 'two'] as const;
export type Worker = (typeof WORKERS)[number];
export type Rights = 'few' | 'many';

/** Something that happens. `age` says with which of its claims a worker writes: the latest, or the first, which it may have lost since. */
export type Event =
  | { readonly kind: 'create'; readonly task: number; readonly ttl: number | null; readonly retries: number }
  | { readonly kind: 'attend'; readonly task: number; readonly worker: Worker }
  | { readonly kind: 'look'; readonly worker: Worker }
  | { readonly kind: 'answer'; readonly task: number; readonly keys: readonly string[]; readonly rights: Rights }
  | { readonly kind: 'cancel'; readonly task: number }
  | { readonly kind: 'get'; readonly task: number }
  | { readonly kind: 'time'; readonly passes: number }
  | WorkEvent;

/** What a worker does with a task that it has, or had. */
export interface WorkEvent {
  readonly kind: 'renew' | 'resume' | 'release' | 'interrupt' | 'complete' | 'refuse' | 'ask' | 'keep' | 'report';
  readonly task: number;
  readonly worker: Worker;
  readonly age: 'latest' | 'first';
  /** A question, a step or a message. */
  readonly word: string;
}

type Status = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** A task. */
export interface ModelTask {
  status: Status;
  readonly createdAt: number;
  readonly ttl: number | null;
  endedAt: number;
  retries: number;
  /** How often it was claimed. */
  claims: number;
  /** Who has it. It is lost at a time while its handler works, and never while it only waits. */
  holder: { readonly claim: number; lostAt: number } | undefined;
  /** When a worker may claim it that does not have it. */
  freeAt: number;
  open: string[];
  answered: Record<string, Rights>;
  kept: Record<string, string>;
  message: string | undefined;
  rights: Rights;
}

/** Everything that there is. */
export interface Model {
  now: number;
  readonly tasks: Record<number, ModelTask>;
  /** The claims of each worker, by task and worker. */
  readonly claims: Record<string, number[]>;
  /** Tasks that were ever created: no two tasks ever have one id. */
  readonly created: number[];
}

export function isTerminal({ status }: ModelTask): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/** When something has to happen next to a task without anyone asking for it. */
export function nextOf(task: ModelTask): number {
  const end = task.ttl === null ? Infinity : task.createdAt + task.ttl;
  if (isTerminal(task)) return Math.max(end, task.endedAt + READABLE);
  if (task.status === 'input_required') return end;
  const works = task.holder && task.holder.lostAt < Infinity;
  return Math.min(end, works ? (task.holder?.lostAt ?? end) : task.freeAt);
}

/** What a client sees of a task; undefined for an id that is not known. A task that is seen to have failed has failed. */
function get(task: ModelTask | undefined, now: number): object | undefined {
  if (!task || (isTerminal(task) && nextOf(task) <= now)) return undefined;
  if (isDoomed(task, now)) end(task, 'failed', now);
  const { status, open } = task;
  return { status, questions: status === 'input_required' ? [...open].sort() : [] };
}

/** The claim with which a worker writes; undefined if it never had the task. */
export function claimOf({ claims }: Model, event: Pick<WorkEvent, 'task' | 'worker' | 'age'>): number | undefined {
  const own = claims[`${event.task} ${event.worker}`] ?? [];
  return event.age === 'latest' ? own.at(-1) : own[0];
}

/**
 * Lets something happen. Returns what it answers.
 * @param claim with which a worker writes
 */
export function happen(model: Model, event: Event, claim: number | undefined): unknown {
  if (event.kind === 'create') return create(model, event);
  if (event.kind === 'time') return void (model.now += event.passes);
  if (event.kind === 'look') return look(model, event.worker);
  const task = model.tasks[event.task];
  if (event.kind === 'get') return get(task, model.now);
  if (event.kind === 'attend') return attend(model, event.task, event.worker);
  if (!task || isTerminal(task)) return false;
  if (event.kind === 'cancel') return end(task, 'cancelled', model.now);
  if (event.kind === 'answer') return answer(task, event, model.now);
  return task.holder?.claim === claim && work(task, event, model.now);
}

function create({ tasks, now, created }: Model, { task, ttl, retries }: Event & { kind: 'create' }): string {
  if (tasks[task]) return 'created';
  if (Object.values(tasks).filter((each) => !isTerminal(each)).length >= MOST) return 'no room';
  created.push(task);
  tasks[task] = {
    ...{ status: 'working', createdAt: now, ttl, endedAt: Infinity, retries, claims: 0, holder: undefined },
    ...{ freeAt: now, open: [], answered: {}, kept: {}, message: undefined, rights: 'few' },
  };
  return 'created';
}

/** What a worker does with everything that is due. */
function look(model: Model, worker: Worker): Record<string, unknown> {
  const due = Object.entries(model.tasks).filter(([, task]) => nextOf(task) <= model.now);
  return Object.fromEntries(due.map(([index]) => [index, attend(model, Number(index), worker)]));
}

function attend(model: Model, index: number, worker: Worker): string {
  const { now, tasks } = model;
  const task = tasks[index];
  if (!task) return 'nothing';
  if (isTerminal(task)) {
    if (nextOf(task) <= now) delete tasks[index];
    return 'nothing';
  }
  if (isDoomed(task, now)) {
    end(task, 'failed', now);
    return 'ended';
  }
  if (task.status !== 'working') return 'nothing';
  const isLost = task.holder !== undefined && task.holder.lostAt <= now;
  const isTaken = task.holder !== undefined && task.holder.lostAt < Infinity && !isLost;
  if (isTaken || (!isLost && task.freeAt > now)) return 'nothing';
  if (isLost) task.retries -= 1;
  task.claims += 1;
  task.holder = { claim: task.claims, lostAt: now + LEASE };
  (model.claims[`${index} ${worker}`] ??= []).push(task.claims);
  return 'claimed';
}

/** Whether its time has ended, or its worker was lost and it may not run again. */
function isDoomed(task: ModelTask, now: number): boolean {
  if (isTerminal(task)) return false;
  if (task.ttl !== null && task.createdAt + task.ttl <= now) return true;
  const isLost = task.status === 'working' && task.holder !== undefined && task.holder.lostAt <= now;
  return isLost && task.retries === 0;
}

function answer(task: ModelTask, { keys, rights }: Event & { kind: 'answer' }, now: number): boolean {
  const outstanding = keys.filter((key) => task.open.includes(key));
  if (outstanding.length === 0) return false;
  for (const key of outstanding) task.answered[key] = rights;
  task.open = task.open.filter((key) => !outstanding.includes(key));
  // A handler that began with other rights does not go on.
  if (rights !== task.rights) task.holder = undefined;
  task.rights = rights;
  if (task.open.length > 0) return true;
  task.status = 'working';
  task.freeAt = task.holder ? now + PREFERRED : now;
  return true;
}

/** What who has the task does with it. */
function work(task: ModelTask, { kind, word }: WorkEvent, now: number): boolean {
  const holder = task.holder;
  if (!holder) return false;
  const waits = holder.lostAt === Infinity;
  const free = (): boolean => {
    task.holder = undefined;
    task.freeAt = now;
    return true;
  };
  switch (kind) {
    case 'renew':
      if (!waits) holder.lostAt = now + LEASE;
      return !waits;
    case 'resume':
      // Also a second time: the reply of the store to the first may be lost.
      if (task.status !== 'working') return false;
      holder.lostAt = now + LEASE;
      return true;
    case 'ask':
      // Asked a second time after a lost reply, when the client has answered: nothing changes.
      if (word in task.answered) return true;
      task.open = [...task.open.filter((key) => key !== word), word];
      task.status = 'input_required';
      holder.lostAt = Infinity;
      return true;
    case 'keep':
      task.kept[word] = word;
      return true;
    case 'report':
      if (task.message === word) return false;
      task.message = word;
      return true;
    case 'release':
      return free();
    case 'interrupt':
      if (waits) return free();
      if (task.retries === 0) return end(task, 'failed', now);
      task.retries -= 1;
      return free();
    case 'complete':
      return end(task, 'completed', now);
    case 'refuse':
      return end(task, 'failed', now);
  }
}

function end(task: ModelTask, status: Status, now: number): true {
  Object.assign(task, { status, endedAt: now, holder: undefined, open: [], answered: {}, kept: {} });
  return true;
}
