/** One task while this process has it: its handler runs, or waits for answers. */
import { createHash } from 'node:crypto';
import type {
  BackgroundCall,
  BackgroundOutcome,
  ExtensionServices,
  JsonObject,
  LiveQuestion,
  StoredValue,
  Timer,
  Clock,
} from '@sigil-mcp/core';
import { shorten, unawaited } from '@sigil-mcp/core/internal';
import { NoRoom, type TaskBoard, type TaskStep } from '../board';
import { taskError } from '../errors';
import * as transitions from '../record/transitions';
import { isEnded, type TaskState } from '../record/task-state';

const FIRST_WAIT = 50;

const LONGEST_WAIT = 1000;

/** Made for one user of a store. */
export class Patience {
  /** @param isOver whether no command of this user makes sense any more */
  constructor(
    private readonly clock: Clock,
    private readonly isOver: () => boolean,
  ) {}

  /** What a command resolves to; rejects with its last error. Commands are such that a second time does no harm. */
  async with<T>(command: () => Promise<T>): Promise<T> {
    for (let wait = FIRST_WAIT; ; wait = Math.min(wait * 2, LONGEST_WAIT)) {
      try {
        return await command();
      } catch (error) {
        if (this.isOver()) throw error;
        await new Promise<void>((resolve) => this.clock.after(wait, resolve));
      }
    }
  }
}

/** Milliseconds between two status messages that are written; the last one is always written. */
const MESSAGE_INTERVAL = 500;
/** Characters of a status message. */
const LONGEST_MESSAGE = 1000;

/** What a running task works with. */
export interface TaskWork {
  readonly board: TaskBoard;
  readonly services: Pick<ExtensionServices, 'start' | 'outside' | 'clock' | 'logger'>;
  /** What a limit says. */
  readonly sentenceOf: (limit: NoRoom['limit']) => string;
  /** Milliseconds. */
  readonly lease: number;
  /** Whether one more handler may wait in this process. */
  readonly mayWait: () => boolean;
  /** Whether the caller of a task may still do what it did when its handler began. */
  readonly isStillAllowed: (state: TaskState) => Promise<boolean>;
  /** Called when `isWaiting` of a task may have changed. */
  readonly count: (task: RunningTask) => void;
  /** Called when its handler begins to wait, and when it goes on. */
  readonly waited: () => void;
  /** Whether the process ends, so that nothing is tried again. */
  readonly isStopped: () => boolean;
}

/** Questions that are written together. */
interface QuestionBatch {
  readonly questions: LiveQuestion[];
  readonly written: Promise<TaskState | NoRoom | undefined>;
}

/** Made by the worker that has claimed the task. */
export class RunningTask {
  readonly id: string;
  readonly holder: string;
  /** Resolves when this process has nothing to do with the task any more. */
  readonly done: Promise<void>;
  /** Resolves when its handler has ended, which may be later: a handler may ignore its signal. */
  readonly ended: Promise<void>;
  readonly #fence: number;
  readonly #call: BackgroundCall;
  readonly #patience: Patience;
  /** Questions that wait for an answer, by their keys. */
  readonly #waiting = new Map<string, (result: JsonObject) => void>();
  /** What was asked at the same time and is not written yet. */
  #batch: QuestionBatch | undefined;
  /** The batch that is being written; the next one waits for it. */
  #asking: Promise<unknown> = Promise.resolve();
  #until: number;
  /** Set when another worker has the task, or when it has ended. */
  #isDropped = false;
  #isSuspended = false;
  #isRenewing = false;
  #looking: Promise<void> | undefined;
  #mustLookAgain = false;
  #message: string | undefined;
  #messageTimer: Timer | undefined;
  #lastMessage = Number.NEGATIVE_INFINITY;

  /** @param state the task, which was claimed for this process */
  constructor(
    state: TaskState,
    private readonly work: TaskWork,
  ) {
    const { clock } = work.services;
    this.id = state.id;
    this.holder = state.holder;
    this.#fence = state.fence;
    this.#until = state.run?.until ?? work.board.now();
    this.#patience = new Patience(clock, () => this.#isDropped || this.#isLate || work.isStopped());
    this.#call = work.services.start(state.call, {
      id: nameOf(state.id),
      countedFor: state.holder,
      ask: (question) => this.#ask(question),
      keep: (key, value) => this.#keep(key, value),
      check: () => this.#checkHeld(),
      progress: (progress, total, message) => this.#report(progress, total, message),
    });
    this.ended = this.#call.ended;
    this.done = this.#call.outcome.then((outcome) => this.#end(outcome));
  }

  /** Whether its handler waits for answers. */
  get isWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  /** Renews the lease, unless the handler waits. Call it several times within a lease. */
  renew(): void {
    if (this.isWaiting || this.#isDropped || this.#isSuspended) return;
    // The lease has expired while the process was busy, or the store away: another worker may have the task.
    if (this.#isLate) return this.#drop();
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    const renewed = this.#extend((state, now) => transitions.renew(state, this.#fence, this.work.lease, now));
    // Another worker has it, or it has ended.
    const looked = renewed.then((state) => (state ? undefined : this.look()));
    unawaited(looked.finally(() => (this.#isRenewing = false)));
  }

  /** Looks at what has become of the task: cancelled, answered, or taken by another worker. */
  look(): void {
    if (this.#looking) {
      this.#mustLookAgain = true;
      return;
    }
    // Its handler may look, in a context that it has made itself.
    this.#looking = this.work.services
      .outside(() => this.#look())
      .catch((err: unknown) => this.work.services.logger.warn({ err }, 'A task could not be looked at'))
      .finally(() => {
        this.#looking = undefined;
        if (!this.#mustLookAgain) return;
        this.#mustLookAgain = false;
        this.look();
      });
  }

  /** Ends a handler that waits; it runs again when its answers are there. */
  suspend(): void {
    if (!this.isWaiting || this.#isSuspended) return;
    this.#isSuspended = true;
    this.#call.suspend();
  }

  get #isLate(): boolean {
    return !this.isWaiting && this.work.board.now() >= this.#until;
  }

  async #look(): Promise<void> {
    if (this.#isDropped || this.#isSuspended) return;
    const state = await this.work.board.read(this.id);
    if (!state || isEnded(state) || state.run?.fence !== this.#fence) return this.#drop();
    if (state.status === 'working' && state.run.until === null && this.isWaiting) await this.#resume(state);
  }

  async #resume(answered: TaskState): Promise<void> {
    if (!(await this.work.isStillAllowed(answered))) return this.suspend();
    const state = await this.#extend((next, now) => transitions.resume(next, this.#fence, this.work.lease, now));
    if (!state) return this.#drop();
    const { answers } = state.call.memory;
    for (const [key, resolve] of [...this.#waiting]) {
      const answer = Object.hasOwn(answers, key) ? answers[key] : undefined;
      if (!answer) continue;
      this.#setWaiting(key, undefined);
      resolve(answer.result);
    }
    this.work.waited();
  }

  async #ask(question: LiveQuestion): Promise<JsonObject> {
    const answer = new Promise<JsonObject>((resolve) => this.#setWaiting(question.key, resolve));
    const batch = (this.#batch ??= this.#openBatch());
    batch.questions.push(question);
    const written = await batch.written;
    if (!written || written instanceof NoRoom) {
      this.#setWaiting(question.key, undefined);
      throw written ? this.#noRoom('The question', written) : this.#lost();
    }
    this.work.waited();
    // The answer may have come before this process listened for it.
    this.look();
    if (!this.work.mayWait()) this.suspend();
    return answer;
  }

  #setWaiting(key: string, resolve: ((result: JsonObject) => void) | undefined): void {
    if (resolve) this.#waiting.set(key, resolve);
    else this.#waiting.delete(key);
    this.work.count(this);
  }

  /** Questions of the same time are written at once: clients see all of them, and none is written again because of another. */
  #openBatch(): QuestionBatch {
    const questions: LiveQuestion[] = [];
    const written = this.#asking.then(() => {
      this.#batch = undefined;
      return this.#grow((before, now) =>
        questions.reduce<TaskState | undefined>(
          (state, question) => state && transitions.ask(state, this.#fence, question, now),
          before,
        ),
      );
    });
    this.#asking = written.catch(() => undefined);
    return { questions, written };
  }

  /** A process that was busy for longer than its lease does not know yet who has the task now. */
  #checkHeld(): void {
    if (this.#isDropped || this.#isLate) throw this.#lost();
  }

  async #keep(key: string, value: StoredValue): Promise<void> {
    const kept = await this.#grow((state) => transitions.keep(state, this.#fence, key, value));
    if (!kept) throw this.#lost();
    if (kept instanceof NoRoom) throw this.#noRoom('What `once` has returned', kept);
  }

  /** Writes the first message at once, and then the newest one from time to time. */
  #report(progress: number, total: number | undefined, message: string | undefined): void {
    const counted = total === undefined ? String(progress) : `${progress} of ${total}`;
    this.#message = shorten(message ?? counted, LONGEST_MESSAGE);
    if (this.#messageTimer) return;
    const { clock } = this.work.services;
    const wait = Math.max(0, this.#lastMessage + MESSAGE_INTERVAL - clock.elapsed());
    if (wait === 0) this.#writeMessage();
    else this.#messageTimer = clock.after(wait, () => this.#writeMessage()).unref();
  }

  #writeMessage(): void {
    this.#messageTimer = undefined;
    const message = this.#message;
    if (message === undefined || this.#isDropped) return;
    this.#message = undefined;
    this.#lastMessage = this.work.services.clock.elapsed();
    const { board, services } = this.work;
    const written = board.grow(this.id, (state, now) => transitions.report(state, this.#fence, message, now));
    const fail = (err: unknown): void => services.logger.debug({ err }, 'The progress of a task was not written');
    unawaited(
      written.then((state) => state instanceof NoRoom && fail(this.#noRoom('The progress', state))),
      fail,
    );
  }

  async #end(outcome: BackgroundOutcome): Promise<void> {
    this.#messageTimer?.close();
    if (this.#isDropped) return;
    try {
      const ended = await this.#grow(transitions.endOf(outcome, this.#fence, this.#message));
      if (ended instanceof NoRoom) await this.#endWithout(ended);
    } catch (err) {
      this.work.services.logger.error({ err, task: nameOf(this.id) }, 'The end of a task could not be written');
    }
    this.#isDropped = true;
  }

  /** The result has no room: the client gets a short error instead, which always has room. */
  async #endWithout(room: NoRoom): Promise<void> {
    const err = this.#noRoom('The result', room);
    this.work.services.logger.warn({ err, task: nameOf(this.id) }, 'The result of a task was not kept');
    const message = `The task was done, and its result has no room. ${this.work.sentenceOf(room.limit)}`;
    await this.#change((state, now) => transitions.failRun(state, this.#fence, message, now));
  }

  /** Changes the task and takes over its new lease. */
  async #extend(step: TaskStep): Promise<TaskState | undefined> {
    const state = await this.#change(step);
    if (state) this.#until = state.run?.until ?? this.#until;
    return state;
  }

  /** A store may be away for a while: the task goes on when it is back, as long as its lease lasts. */
  #change(step: TaskStep): Promise<TaskState | undefined> {
    return this.#patience.with(() => this.work.board.change(this.id, step));
  }

  /** As above, for what the limits have to allow. */
  #grow(step: TaskStep): Promise<TaskState | NoRoom | undefined> {
    return this.#patience.with(() => this.work.board.grow(this.id, step));
  }

  #noRoom(what: string, { limit }: NoRoom): Error {
    return taskError('SIGIL_TASK_ROOM', { what, limit: this.work.sentenceOf(limit) });
  }

  #lost(): Error {
    this.#drop();
    return taskError('SIGIL_TASK_LOST');
  }

  #drop(): void {
    if (this.#isDropped) return;
    this.#isDropped = true;
    this.#call.cancel(taskError('SIGIL_TASK_LOST'));
  }
}

/** Names a task in logs: its id would let others read it. */
function nameOf(id: string): string {
  return `task-${createHash('sha256').update(id).digest('base64url').slice(0, 12)}`;
}
