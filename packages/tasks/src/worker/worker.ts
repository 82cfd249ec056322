/** Runs the tasks of a server in this process: takes those that are ready, and ends those whose time has ended. */
import { randomBytes } from 'node:crypto';
import type { ExtensionServices, Timer } from '@sigil-mcp/core';
import { settleWithin, unawaited } from '@sigil-mcp/core/adapter';
import type { TaskBoard } from '../board';
import * as transitions from '../record/transitions';
import type { TaskState } from '../record/task-state';
import { sentenceOf } from '../task-room';
import type { CurrentRights, ResolvedTasks } from '../tasks-options';
import { Patience } from './patience';
import { RunningTask, type TaskWork } from './running-task';

/** Milliseconds between two looks for tasks that are due; what is made or answered in this process is looked at without that. */
const LOOK_INTERVAL = 1000;
/** Milliseconds that the last commands of a worker may take, when nothing runs any more: a store may never answer. */
const LAST_COMMANDS = 5000;
/** Tasks that one look takes up. */
const AT_A_TIME = 100;
/** The longest time between two renewals of leases, in milliseconds. */
const LONGEST_RENEWAL = 30_000;
/** Handlers that wait, and are looked at together for messages that were lost; the next ones follow with the next renewal. */
const LOOKED_AT = 100;

type Options = Pick<ResolvedTasks, 'concurrency' | 'waiting' | 'lease' | 'rights' | 'limits'>;

/**
 * The worker of one process. A request that creates, answers or cancels a task wakes it, and so does a task that ends or waits: it works outside
 * of all of them.
 */
export class TaskWorker {
  readonly #name = randomBytes(9).toString('base64url');
  readonly #running = new Map<string, RunningTask>();
  /** Those of them whose handlers wait, the one that was looked at longest ago first. */
  readonly #waiting = new Set<RunningTask>();
  /** Tasks that have ended for this process, and whose handlers run on. */
  readonly #runningOn = new Set<RunningTask>();
  /** Tasks that are being taken. */
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
    this.#work = {
      board,
      services,
      sentenceOf: (limit) => sentenceOf(limit, options.limits),
      lease: options.lease,
      mayWait: () => !this.#isStopped && this.#waiting.size <= options.waiting,
      isStillAllowed: (state) => this.#isStillAllowed(state),
      count: (task) => (task.isWaiting ? this.#waiting.add(task) : this.#waiting.delete(task)),
      waited: () => this.look(),
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
    await Promise.allSettled(this.#attending);
    await Promise.allSettled([...this.#running.values()].map(({ done }) => done));
  }

  /** Takes a task that was made or answered in this process, if there is room. */
  offer(id: string): void {
    this.services.outside(() =>
      unawaited(this.#attend(id), (err) => this.services.logger.debug({ err }, 'A task was not taken at once')),
    );
  }

  /** Looks for tasks that are due. */
  look(): void {
    if (this.#isStopped) return;
    this.#looking ??= this.services.outside(() => this.#lookOnce()).finally(() => (this.#looking = undefined));
  }

  get #hasRoom(): boolean {
    const working = this.#running.size - this.#waiting.size + this.#runningOn.size;
    return working + this.#taking.size < this.options.concurrency;
  }

  async #lookOnce(): Promise<void> {
    try {
      for (const id of await this.board.due(AT_A_TIME)) {
        if (this.#isStopped) return;
        // The message of an answer may have been lost.
        this.#running.get(id)?.look();
        await this.#attend(id);
      }
    } catch (err) {
      this.services.logger.debug({ err }, 'Tasks that are due were not looked for; it is tried again');
    }
  }

  /** Does what a task needs now: removes it, ends it, or runs it. */
  #attend(id: string): Promise<void> {
    if (this.#isStopped || this.#taking.has(id)) return Promise.resolve();
    const attended = this.#attendTo(id).finally(() => this.#attending.delete(attended));
    this.#attending.add(attended);
    return attended;
  }

  async #attendTo(id: string): Promise<void> {
    const isTaken = this.#hasRoom;
    if (isTaken) this.#taking.add(id);
    try {
      const next = await this.board.attend(
        id,
        (state, now) => transitions.pass(state, now) ?? (isTaken ? this.#claim(state, now) : undefined),
      );
      if (next?.run) await this.#run(next);
    } catch (error) {
      if (isTaken) unawaited(this.#giveBack(id));
      throw error;
    }
    this.#taking.delete(id);
  }

  /** A claim may have been written although its command has failed: without this, nobody would run the task until its lease has expired. */
  async #giveBack(id: string): Promise<void> {
    const { clock } = this.services;
    const end = clock.elapsed() + this.options.lease;
    const patience = new Patience(clock, () => this.#isStopped || clock.elapsed() >= end);
    try {
      await patience.with(() =>
        this.board.change(id, (state, now) =>
          state.run?.worker === this.#name && !this.#running.has(id)
            ? transitions.release(state, state.run.fence, now)
            : undefined,
        ),
      );
    } finally {
      this.#taking.delete(id);
    }
  }

  #claim(state: TaskState, now: number): TaskState | undefined {
    if (this.#running.has(state.id)) return undefined;
    return transitions.claim(state, this.#name, this.options.lease, now);
  }

  async #run(claimed: TaskState): Promise<void> {
    const { id } = claimed;
    const allowed = await this.#withCurrentRights(claimed);
    if (!allowed) return;
    if (this.#isStopped) {
      await this.board.change(id, (state, now) => transitions.release(state, claimed.fence, now));
      return;
    }
    const task = new RunningTask(allowed, this.#work);
    this.#running.set(id, task);
    unawaited(this.#follow(task));
  }

  /** A handler counts until it has ended, also after its task has ended. */
  async #follow(task: RunningTask): Promise<void> {
    await task.done;
    this.#running.delete(task.id);
    this.#waiting.delete(task);
    this.#runningOn.add(task);
    await task.ended;
    this.#runningOn.delete(task);
    this.look();
  }

  /** The task with the rights that its caller has now; undefined if it has none any more, which ends the task. */
  async #withCurrentRights(state: TaskState): Promise<TaskState | undefined> {
    const { rights } = this.options;
    if (!rights) return state;
    const now = await this.#rightsOf(state);
    if (now === 'unknown') {
      await this.board.change(state.id, (before, time) =>
        transitions.release(before, state.fence, time + LOOK_INTERVAL),
      );
      return undefined;
    }
    if (!now) {
      await this.board.change(state.id, (before, time) =>
        before.run?.fence === state.fence ? transitions.fail(before, RIGHTS_ARE_GONE, time) : undefined,
      );
      return undefined;
    }
    const caller = { ...state.call.caller, ...now };
    return this.board.change(state.id, (before) =>
      before.run?.fence === state.fence ? { ...before, call: { ...before.call, caller } } : undefined,
    );
  }

  async #isStillAllowed(state: TaskState): Promise<boolean> {
    if (!this.options.rights) return true;
    const now = await this.#rightsOf(state);
    // It runs again from its beginning, where all of its rights are checked.
    return typeof now === 'object' && transitions.withRights(state, { ...state.call.caller, ...now }) === state;
  }

  async #rightsOf(state: TaskState): Promise<CurrentRights | undefined | 'unknown'> {
    try {
      return await this.options.rights?.(state.call.caller);
    } catch (err) {
      this.services.logger.error({ err }, 'tasks({ rights }) failed; the task waits');
      return 'unknown';
    }
  }

  #changed(id: string | undefined): void {
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

const RIGHTS_ARE_GONE = 'The caller of the task has no rights any more.';
