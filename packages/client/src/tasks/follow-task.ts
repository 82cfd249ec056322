/** Follows a task to its end: watches it where the server can say what changes, polls it otherwise, and answers its questions. */
import { LONGEST_TIMER, unawaited, type Clock, type Timer } from '@sigil-mcp/base';
import type { JsonObject } from '@sigil-mcp/protocol';
import type { AnswerQuestion } from '../connection/questions';
import { pause } from '../pause';
import { hasEnded, type Task, type TaskQuestion } from './task';

/** What is sent about one task. */
export interface TaskLine {
  /** `tasks/get`. */
  get(taskId: string, signal: AbortSignal): Promise<Task>;
  /** `tasks/update`. The first answer to a question counts, so it may be sent again. */
  update(taskId: string, inputResponses: JsonObject, signal: AbortSignal): Promise<unknown>;
  /**
   * `subscriptions/listen`: calls back when the task changes. Resolves once the server has confirmed it; undefined if it will say nothing about
   * the task. A rejection means that, too.
   */
  watch(taskId: string, changed: (task: Task) => void, signal: AbortSignal): Promise<Watch | undefined>;
  /** Whether asking again would give the same error. */
  isFinal(error: unknown): boolean;
  /** Seconds after which the server wants to be asked again; undefined if the error does not say. */
  retryAfter?(error: unknown): number | undefined;
}

/** A confirmed subscription. */
export interface Watch {
  /** Resolves when the server says nothing any more. */
  readonly ended: Promise<unknown>;
  /** Ends the subscription. */
  close(): Promise<unknown>;
}

/** How a task is followed. */
export interface FollowOptions {
  /** Answers each question once, one after the other. What it throws ends the following. */
  readonly answer: AnswerQuestion;
  /** Called with the task at first, and each time it has changed. */
  readonly onTask: (task: Task) => void;
  /** Ends the following, not the task. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/** Milliseconds between two polls, at least. */
const LEAST_INTERVAL = 200;
/** The same, if the server does not say how often it wants to be asked. */
const USUAL_INTERVAL = 1000;
/** The same, while the server says what changes: it may miss something. */
const WATCHED_INTERVAL = 10_000;
/** Polls in a row that may get no answer, such as while a server restarts, and attempts to send an answer. */
const MOST_FAILURES = 5;

/** A question that was asked. */
interface OpenQuestion {
  /** Withdraws it. */
  readonly withdrawal: AbortController;
  /** Whether its answer is on its way, or has arrived: it is not asked again, however often it is reported. */
  isAnswered: boolean;
}

/**
 * Follows a task until it has ended.
 * @param first the task, as the server reported it
 * @returns the task, as it ended
 * @throws the final error of a poll or of an answer that is sent, or that of the fifth in a row; what `answer` throws; the reason of the signal
 */
export function followTask(first: Task, line: TaskLine, options: FollowOptions): Promise<Task> {
  return new FollowedTask(first.taskId, line, options).follow(first);
}

class FollowedTask {
  readonly #over = new AbortController();
  readonly #ended: Promise<Task>;
  #end: (task: Task) => void = () => undefined;
  /** The questions that were asked, and not withdrawn before they were answered. Keys are not used again within a task. */
  readonly #asked = new Map<string, OpenQuestion>();
  #answers: Promise<void> = Promise.resolve();
  #shown = '';
  #wanted = USUAL_INTERVAL;
  /** When the newest known state began, by the clock of the server. */
  #changedAt = '';
  /** How many changes the server has told. */
  #told = 0;
  #isWatched = false;
  /** The server wants no poll before this, also if a change was announced. */
  #earliest = Number.NEGATIVE_INFINITY;
  #isPolling = false;
  #mustPollAgain = false;
  #failures = 0;
  #timer: Timer | undefined;

  constructor(
    private readonly id: string,
    private readonly line: TaskLine,
    private readonly options: FollowOptions,
  ) {
    this.#ended = new Promise((resolve, reject) => {
      this.#end = resolve;
      this.#over.signal.addEventListener('abort', () => reject(this.#over.signal.reason as Error), { once: true });
    });
    // `follow` throws it.
    this.#ended.catch(() => undefined);
  }

  async follow(first: Task): Promise<Task> {
    const { signal } = this.options;
    const onAbort = (): void => this.#over.abort(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      this.#take(first);
      if (!this.#over.signal.aborted && !hasEnded(first)) this.#begin(this.#watch());
      this.#plan(first.status === 'input_required' ? 0 : undefined);
      return await this.#ended;
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#timer?.close();
      for (const { withdrawal } of this.#asked.values()) withdrawal.abort();
      this.#over.abort();
    }
  }

  /** A change may be told after the answer to a poll that was sent later: then another poll says what is. */
  #hear(task: Task): void {
    this.#told += 1;
    if (!hasEnded(task) && isBefore(task.lastUpdatedAt, this.#changedAt)) this.#pollSoon();
    else this.#take(task);
  }

  /** The answer to a poll may have been sent before a change that was told while it was on its way. */
  #answered(task: Task, toldBefore: number): void {
    const isOvertaken = toldBefore !== this.#told && !hasEnded(task);
    if (!isOvertaken || isBefore(this.#changedAt, task.lastUpdatedAt)) this.#take(task);
    // What cannot be told from the times is asked.
    else if (!isBefore(task.lastUpdatedAt, this.#changedAt)) this.#mustPollAgain = true;
  }

  #take(task: Task): void {
    if (this.#over.signal.aborted) return;
    this.#wanted = task.pollIntervalMs ?? USUAL_INTERVAL;
    this.#changedAt = task.lastUpdatedAt;
    this.#show(task);
    for (const [key, question] of this.#asked) if (!(key in task.inputRequests)) this.#withdraw(key, question);
    for (const [key, question] of Object.entries(task.inputRequests))
      if (!this.#asked.has(key)) this.#ask(key, question);
    if (hasEnded(task)) this.#end(task);
  }

  #show(task: Task): void {
    const text = JSON.stringify(task);
    if (text === this.#shown) return;
    this.#shown = text;
    try {
      this.options.onTask(task);
    } catch (error) {
      this.#over.abort(error);
    }
  }

  /** One that is reported again after this is asked again. */
  #withdraw(key: string, { withdrawal, isAnswered }: OpenQuestion): void {
    withdrawal.abort();
    if (!isAnswered) this.#asked.delete(key);
  }

  #ask(key: string, question: TaskQuestion): void {
    const asked: OpenQuestion = { withdrawal: new AbortController(), isAnswered: false };
    this.#asked.set(key, asked);
    this.#answers = this.#answers
      .then(() => this.#answer(key, question, asked))
      .catch((error: unknown) => {
        // Nobody waits for the answer to a question that was withdrawn.
        if (!asked.withdrawal.signal.aborted) this.#over.abort(error);
      });
  }

  async #answer(key: string, question: TaskQuestion, asked: OpenQuestion): Promise<void> {
    const { signal } = asked.withdrawal;
    if (signal.aborted) return;
    const answer = await this.options.answer({ ...question, key, signal });
    if (signal.aborted) return;
    asked.isAnswered = true;
    await this.#send(key, answer, asked);
    this.#pollSoon();
  }

  /** Sends an answer, again if it does not arrive: what a person has said is not lost with a request. */
  async #send(key: string, answer: JsonObject, asked: OpenQuestion): Promise<void> {
    const { signal } = this.#over;
    for (let failures = 1; ; failures += 1) {
      try {
        await this.line.update(this.id, { [key]: answer }, signal);
        return;
      } catch (error) {
        if (asked.withdrawal.signal.aborted) return void this.#asked.delete(key);
        if (signal.aborted || this.line.isFinal(error) || failures === MOST_FAILURES) throw error;
        await pause(this.options.clock, Math.max(this.#waitAfter(error), LEAST_INTERVAL), signal);
      }
    }
  }

  /** Milliseconds before the server is asked again. */
  #waitAfter(error: unknown): number {
    return Math.max(this.#retryAfter(error), this.#wanted);
  }

  /** Milliseconds before which the server has said that it does not want to be asked. */
  #retryAfter(error: unknown): number {
    return (this.line.retryAfter?.(error) ?? 0) * 1000;
  }

  #pollSoon(): void {
    this.#mustPollAgain = this.#isPolling;
    this.#plan(0);
  }

  /** Polls after so many milliseconds; after those that the server wants, if left out. */
  #plan(wait: number = Math.max(this.#wanted, this.#isWatched ? WATCHED_INTERVAL : 0)): void {
    this.#timer?.close();
    if (this.#over.signal.aborted || this.#isPolling) return;
    const { clock } = this.options;
    const least = this.#earliest - clock.elapsed();
    this.#timer = clock.after(Math.min(Math.max(wait, least, 0), LONGEST_TIMER), () => this.#begin(this.#poll()));
  }

  /** Work of its own; a mistake in it ends the following. */
  #begin(work: Promise<void>): void {
    unawaited(work, (error) => this.#over.abort(error));
  }

  async #poll(): Promise<void> {
    this.#isPolling = true;
    this.#earliest = this.options.clock.elapsed() + LEAST_INTERVAL;
    const told = this.#told;
    let wait: number | undefined;
    try {
      this.#answered(await this.line.get(this.id, this.#over.signal), told);
      this.#failures = 0;
    } catch (error) {
      this.#failures += 1;
      wait = this.#waitAfter(error);
      this.#earliest = Math.max(this.#earliest, this.options.clock.elapsed() + this.#retryAfter(error));
      if (this.line.isFinal(error) || this.#failures === MOST_FAILURES) this.#over.abort(error);
    }
    this.#isPolling = false;
    this.#plan(wait ?? (this.#mustPollAgain ? 0 : undefined));
    this.#mustPollAgain = false;
  }

  /** A server that cannot say what changes is polled as often as it wants. */
  async #watch(): Promise<void> {
    const { signal } = this.#over;
    const watch = await this.line.watch(this.id, (task) => this.#hear(task), signal).catch(() => undefined);
    if (!watch) return;
    const close = (): void => void watch.close().catch(() => undefined);
    if (signal.aborted) return close();
    signal.addEventListener('abort', close, { once: true });
    this.#isWatched = true;
    // What has changed before the server listened is not said again.
    this.#pollSoon();
    await watch.ended.catch(() => undefined);
    this.#isWatched = false;
    this.#plan();
  }
}

/** Whether a time, ISO 8601, is before another one; false if one of them is no time. */
function isBefore(one: string, other: string): boolean {
  return Date.parse(one) < Date.parse(other);
}
