/** Runs the tasks of a server in this process: takes those that are ready, and ends those whose time has ended. */
import { randomBytes } from 'node:crypto';
import type { ExtensionServices, HeldAccount, Holding, Timer } from '@sigil-mcp/core';
import { settleWithin } from '@sigil-mcp/core/adapter';
import { LOCAL_CLIENT, Places, unawaited, weightOfValue } from '@sigil-mcp/core/internal';
import { Leave, type TaskBoard } from '../board';
import type { TaskState } from '../record/task-state';
import * as transitions from '../record/transitions';
import { sentenceOf } from '../task-room';
import type { ResolvedTasks } from '../tasks-options';
import { claimTask, QueuedTasks } from './queued-tasks';
import { RunningTask, type TaskWork, Patience } from './running-task';
import { TaskRights } from './task-rights';

/** Milliseconds between two looks for tasks that are due; what is made or answered in this process is looked at without that. */
const LOOK_INTERVAL = 1000;
/** Milliseconds that the last commands of a worker may take, when nothing runs any more: a store may never answer. */
const LAST_COMMANDS = 5000;
/** Tasks that one look finds. */
const AT_A_TIME = 1000;
/** Tasks of them that are read at the same time. */
const TOGETHER = 20;
/** Milliseconds that a task is left to others if this process has no memory for it. */
const MEMORY_PATIENCE = 1000;
/** The longest time between two renewals of leases, in milliseconds. */
const LONGEST_RENEWAL = 30_000;
/** Handlers that wait, and are looked at together for messages that were lost; the next ones follow with the next renewal. */
const LOOKED_AT = 100;

type Options = Pick<ResolvedTasks, 'concurrency' | 'concurrencyPerClient' | 'waiting' | 'lease' | 'rights' | 'limits'>;

/**
 * The worker of one process. A request that creates, answers or cancels a task wakes it, and so does a task that ends or waits: it works outside
 * of all of them.
 */
export class TaskWorker {
  readonly #name = randomBytes(9).toString('base64url');
  readonly #running = new Map<string, RunningTask>();
  /** Those of them whose handlers wait, the one that was looked at longest ago first. */
  readonly #waiting = new Set<RunningTask>();
  /** Handlers that work, also those that run on after their tasks have ended, and tasks that are being taken. */
  readonly #places: Places;
  readonly #rights: TaskRights;
  readonly #queue = new QueuedTasks();
  readonly #memory: TaskMemory;
  /** Tasks that are looked at. */
  readonly #taking = new Set<string>();
  /** What was begun with tasks before they run. */
  readonly #attending = new Set<Promise<void>>();
  readonly #work: TaskWork;
  readonly #timers: Timer[] = [];
  #unwatch: (() => void) | undefined;
  #isStopped = false;
  #looking: Promise<void> | undefined;

  constructor(
    private readonly board: TaskBoard,
    private readonly services: ExtensionServices,
    private readonly options: Options,
  ) {
    const { concurrency, concurrencyPerClient } = options;
    // A local client is the only one.
    this.#places = new Places(concurrency, (holder) => (holder === LOCAL_CLIENT ? concurrency : concurrencyPerClient));
    this.#memory = new TaskMemory(services.account);
    this.#rights = new TaskRights(board, services, options);
    this.#work = {
      board,
      services,
      sentenceOf: (limit) => sentenceOf(limit, { limits: options.limits, account: services.account }),
      lease: options.lease,
      mayWait: () => !this.#isStopped && this.#waiting.size <= options.waiting,
      isStillAllowed: (state) => this.#rights.areTheSame(state),
      count: (task) => this.#count(task),
      waited: () => this.#next(),
      isStopped: () => this.#isStopped,
    };
  }

  /** Begins to take tasks. */
  start(): void {
    const { clock, closing } = this.services;
    this.#unwatch = this.board.watch((id) => this.services.outside(() => this.#changed(id)));
    const renewal = Math.min(this.options.lease / 4, LONGEST_RENEWAL);
    this.#timers.push(clock.every(LOOK_INTERVAL, () => this.look()).unref());
    this.#timers.push(clock.every(renewal, () => this.#renewAll()).unref());
    closing.addEventListener('abort', () => this.#close(), { once: true });
    this.look();
  }

  /** Resolves when this process has nothing to do with any task any more, or when the store does not answer in time. */
  async stop(): Promise<void> {
    this.#close();
    await settleWithin(LAST_COMMANDS, this.#finish(), this.services.clock);
    for (const timer of this.#timers.splice(0)) timer.close();
  }

  async #finish(): Promise<void> {
    await this.#looking;
    while (this.#attending.size > 0) await Promise.allSettled(this.#attending);
    await Promise.allSettled([...this.#running.values()].map(({ done }) => done));
  }

  /** Takes a task that was made or answered in this process, if there is room. */
  offer(id: string): void {
    this.services.outside(() => this.#attendUnawaited(id, undefined));
  }

  /** Looks for tasks that are due. */
  look(): void {
    if (this.#isStopped) return;
    this.#looking ??= this.services.outside(() => this.#lookOnce()).finally(() => (this.#looking = undefined));
  }

  /** A place may be free: takes tasks that wait, by turns of their holders, and looks for others if nobody waits. */
  #next(): void {
    const before = this.#queue.size;
    for (;;) {
      const next = this.#isStopped ? undefined : this.#queue.take(this.#places);
      if (!next) break;
      this.services.outside(() => this.#attendUnawaited(next.id, next.holder));
    }
    if (before === 0) this.look();
  }

  async #lookOnce(): Promise<void> {
    try {
      const ended = this.#queue.ended(this.board.now());
      const due = await this.board.due(AT_A_TIME);
      const ids = [...ended, ...due.filter((id) => !this.#queue.has(id))];
      for (let at = 0; at < ids.length && !this.#isStopped; at += TOGETHER)
        await Promise.all(
          ids.slice(at, at + TOGETHER).map((id) => {
            // The message of an answer may have been lost.
            this.#running.get(id)?.look();
            return this.#attend(id, undefined);
          }),
        );
    } catch (err) {
      this.services.logger.debug({ err }, 'Tasks that are due were not looked for; it is tried again');
    }
  }

  #attendUnawaited(id: string, holder: string | undefined): void {
    unawaited(this.#attend(id, holder), (err) => this.services.logger.debug({ err }, 'A task was not taken at once'));
  }

  /**
   * Does what a task needs now: removes it, ends it, or begins to run it, which may wait for the rights of its caller.
   * @param holder who has a place for it already
   */
  #attend(id: string, holder: string | undefined): Promise<void> {
    if (this.#isStopped || this.#taking.has(id)) {
      if (holder !== undefined) this.#places.give(holder);
      return Promise.resolve();
    }
    return this.#note(this.#attendTo(id, holder));
  }

  /** Notes what was begun, so that the worker does not stop before it has ended. */
  #note(begun: Promise<void>): Promise<void> {
    const noted = begun.finally(() => this.#attending.delete(noted));
    this.#attending.add(noted);
    return noted;
  }

  async #attendTo(id: string, placed: string | undefined): Promise<void> {
    let holder = placed;
    this.#taking.add(id);
    const release = (): void => {
      this.#taking.delete(id);
      this.#memory.release(id);
      if (holder !== undefined) this.#leave(holder);
    };
    let next: TaskState | undefined;
    try {
      next = await this.board.attend(id, (state, now) => {
        const done = transitions.pass(state, now) ?? this.#claim(state, now);
        if (!done || done instanceof Leave || !done.run) return done;
        // Of a store that was too late for the first step, the place is there already.
        if (holder === undefined && !this.#places.hasRoom(state.holder)) {
          this.#queue.add(id, { holder: state.holder, end: transitions.endOfTime(state) });
          return undefined;
        }
        if (!this.#memory.hold(state)) return new Leave(now + MEMORY_PATIENCE);
        if (holder === undefined) this.#places.take((holder = state.holder));
        return done;
      });
    } catch (error) {
      if (holder === undefined) release();
      else unawaited(this.#giveBack(id).finally(release));
      throw error;
    }
    if (!next?.run) return release();
    // Nobody waits for the rights of another caller.
    unawaited(this.#note(this.#begin(next).finally(() => this.#taking.delete(id))));
  }

  /**
   * A claim may have been written although its command has failed: without this, nobody would run the task until its lease has expired.
   * It does not run here: what is given back is still being taken, and what runs is in no queue.
   */
  async #giveBack(id: string): Promise<void> {
    const { clock } = this.services;
    const end = clock.elapsed() + this.options.lease;
    const patience = new Patience(clock, () => this.#isStopped || clock.elapsed() >= end);
    await patience.with(() =>
      this.board.change(id, (state, now) =>
        state.run?.worker === this.#name ? transitions.release(state, state.run.fence, now) : undefined,
      ),
    );
  }

  #claim(state: TaskState, now: number): TaskState | Leave | undefined {
    if (this.#running.has(state.id)) return undefined;
    const hasTool = this.services.entries.find('tool', state.tool) !== undefined;
    return claimTask(state, { worker: this.#name, lease: this.options.lease, hasTool }, now);
  }

  /** Begins to run a task, which has a place until its handler has ended. */
  async #begin(claimed: TaskState): Promise<void> {
    const { id, holder } = claimed;
    const allowed = await this.#rightsAtBegin(claimed).catch(async (err: unknown) => {
      this.services.logger.debug({ err }, 'A task that was taken could not begin; it is given back');
      await this.#giveBack(id).catch(() => undefined);
      return undefined;
    });
    if (!allowed) {
      this.#memory.release(id);
      return this.#leave(holder);
    }
    const task = new RunningTask(allowed, this.#work);
    this.#running.set(id, task);
    unawaited(this.#follow(task));
  }

  /** The task with the rights of its caller; undefined if it does not run now. */
  async #rightsAtBegin(claimed: TaskState): Promise<TaskState | undefined> {
    const allowed = await this.#rights.atBegin(claimed);
    if (!allowed || !this.#isStopped) return allowed;
    await this.board.change(claimed.id, (state, now) => transitions.release(state, claimed.fence, now));
    return undefined;
  }

  #leave(holder: string): void {
    this.#places.give(holder);
    this.#next();
  }

  /** A handler counts until it has ended, also after its task has ended. */
  async #follow(task: RunningTask): Promise<void> {
    await task.done;
    this.#running.delete(task.id);
    if (this.#waiting.delete(task)) this.#places.take(task.holder);
    await task.ended;
    this.#memory.release(task.id);
    this.#leave(task.holder);
  }

  /** A handler that waits has no place. */
  #count(task: RunningTask): void {
    if (task.isWaiting === this.#waiting.has(task)) return;
    if (task.isWaiting) this.#places.give(task.holder);
    else this.#places.take(task.holder);
    if (task.isWaiting) this.#waiting.add(task);
    else this.#waiting.delete(task);
  }

  #changed(id: string | undefined): void {
    if (id === undefined) this.#queue.clear();
    else this.#queue.delete(id);
    if (id !== undefined) return this.#running.get(id)?.look();
    for (const task of this.#running.values()) if (!task.isWaiting) task.look();
    this.#lookAtWaiting();
  }

  #renewAll(): void {
    for (const task of this.#running.values()) task.renew();
    this.#lookAtWaiting();
  }

  /** Finds what a store has missed to tell: an answer is due, and found when that is looked for; anything else may take its turn. */
  #lookAtWaiting(): void {
    for (const task of [...this.#waiting].slice(0, LOOKED_AT)) {
      this.#waiting.delete(task);
      this.#waiting.add(task);
      task.look();
    }
  }

  /** Takes no more tasks, and ends handlers that wait; those that work go on. */
  #close(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#unwatch?.();
    for (const task of this.#running.values()) task.suspend();
  }
}

// What the calls of running tasks hold in the memory of this process, charged to the account of the server.

/** By the ids of tasks that run, or are about to. */
class TaskMemory {
  readonly #held = new Map<string, Holding>();

  constructor(private readonly account: Pick<HeldAccount, 'hold'>) {}

  /** Counts the call of a task, as it is parsed; one is always taken. @returns whether there is room */
  hold({ id, holder, call }: TaskState): boolean {
    if (this.#held.has(id)) return true;
    const held = this.account.hold(holder, 'tasks');
    const bytes = weightOfValue(call);
    if (this.#held.size === 0) held.add(bytes);
    else if (held.grow(bytes)) return false;
    this.#held.set(id, held);
    return true;
  }

  /** Gives it back. */
  release(id: string): void {
    this.#held.get(id)?.release();
    this.#held.delete(id);
  }
}
