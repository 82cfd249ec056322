/**
 * What a call says beside its answer: logs and progress. A client that does not read makes the server hold what was said, so
 * there is an end to it; and what nobody could follow is not said at all.
 */
import type { ClientLoad } from '../limits/client-load';
import type { CallServices } from './call-services';
import { isPromise, unawaited, type MaybePromise } from '../values/maybe-promise';

/** Made for a call that says something. */
export class SideTalk {
  /** Characters of this call among those that its client has yet to read. */
  #waiting = 0;
  #room: Promise<void> | undefined;
  #turn: Promise<void> | undefined;
  #leftOut = 0;
  /** Progress that may be told at once. */
  #tokens: number;
  #countedAt: number;

  /**
   * @param send hands a text to the transport; a promise where the client does not keep up, until it does
   * @param confess tells the client how many logs were left out
   */
  constructor(
    private readonly load: ClientLoad,
    private readonly services: Pick<CallServices, 'limits' | 'clock'>,
    private readonly send: (text: string) => MaybePromise<void>,
    private readonly confess: (leftOut: number) => void,
  ) {
    this.#tokens = services.limits.progressPerSecond;
    this.#countedAt = services.clock.elapsed();
  }

  /** Says a line of a log, or counts it as left out. */
  log(text: string): void {
    if (this.#isFull) this.#leftOut += 1;
    else unawaited(this.#say(text));
  }

  /**
   * Tells progress; that which comes too soon after the last, or has no room, is left out, because the next one says more.
   * @param isLast whether there will be none that says more
   * @returns a promise where whoever tells it should wait
   */
  progress(text: string, isLast: boolean): MaybePromise<void> {
    if (this.#isFull) return this.#room;
    return isLast || this.#takeToken() ? this.#say(text) : (this.#room ?? this.#nextTurn());
  }

  /** Nothing more is said: the client hears what it missed. */
  end(): void {
    if (this.#leftOut > 0) this.#confess();
  }

  get #isFull(): boolean {
    return this.load.unread >= this.services.limits.unread;
  }

  #say(text: string): MaybePromise<void> {
    const room = this.send(text);
    if (!isPromise(room)) return undefined;
    this.#waiting += text.length;
    this.load.unread += text.length;
    const goOn = (): void => this.#goOn();
    return (this.#room ??= room.then(goOn, goOn));
  }

  #goOn(): void {
    this.#room = undefined;
    this.load.unread -= this.#waiting;
    this.#waiting = 0;
    if (this.#leftOut > 0) this.#confess();
  }

  #confess(): void {
    const leftOut = this.#leftOut;
    this.#leftOut = 0;
    this.confess(leftOut);
  }

  #takeToken(): boolean {
    const { limits, clock } = this.services;
    const { progressPerSecond } = limits;
    if (progressPerSecond === Infinity) return true;
    const now = clock.elapsed();
    this.#tokens = Math.min(progressPerSecond, this.#tokens + ((now - this.#countedAt) / 1000) * progressPerSecond);
    this.#countedAt = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** A handler that reports without end lets others be served in between, though nothing of it is sent. */
  #nextTurn(): Promise<void> {
    return (this.#turn ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#turn = undefined;
        resolve();
      });
    }));
  }
}
