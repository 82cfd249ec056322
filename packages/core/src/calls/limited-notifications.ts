/**
 * The messages of a call before its answer: logs and progress. A client that does not read makes the server hold them, so there is a
 * limit; and progress that is too fast to follow is not sent at all.
 */
import type { ClientLoad } from '../limits/client-load';
import type { CallServices } from './call-services';
import { isPromise, unawaited, type MaybePromise } from '@sigil-mcp/base';

/** Made for a call that sends such messages. */
export class LimitedNotifications {
  /** Characters of this call that its client has yet to read. */
  #waiting = 0;
  #room: Promise<void> | undefined;
  #turn: Promise<void> | undefined;
  #leftOut = 0;
  /** Progress notifications that may be sent at once. */
  #tokens: number;
  #countedAt: number;

  /**
   * @param send passes a text to the transport; returns a promise while the client does not keep up
   * @param confess notifies the client how many logs were left out
   */
  constructor(
    private readonly load: ClientLoad,
    private readonly services: Pick<CallServices, 'limits' | 'clock' | 'account'>,
    private readonly send: (text: string) => MaybePromise<void>,
    private readonly confess: (leftOut: number) => void,
  ) {
    this.#tokens = services.limits.progressPerSecond;
    this.#countedAt = services.clock.elapsed();
  }

  /** Sends a line of a log, or counts it as left out. */
  log(text: string): void {
    if (this.#isFull) this.#leftOut += 1;
    else unawaited(this.#say(text));
  }

  /**
   * Sends progress. A notification that follows too soon, or that exceeds the limit, is left out, because the next one supersedes it.
   * @param isLast whether no notification will follow
   * @returns a promise if the sender should wait
   */
  progress(text: string, isLast: boolean): MaybePromise<void> {
    if (this.#isFull) return this.#room;
    return isLast || this.#takeToken() ? this.#say(text) : (this.#room ?? this.#nextTurn());
  }

  /** Sends no more; notifies the client of messages that were left out. */
  end(): void {
    if (this.#leftOut > 0) this.#confess();
  }

  get #isFull(): boolean {
    return this.load.unread >= this.services.limits.unread;
  }

  #say(text: string): MaybePromise<void> {
    const room = this.send(text);
    if (!isPromise(room)) return undefined;
    this.#count(text.length);
    const goOn = (): void => this.#goOn();
    return (this.#room ??= room.then(goOn, goOn));
  }

  #goOn(): void {
    this.#room = undefined;
    this.#count(-this.#waiting);
    if (this.#leftOut > 0) this.#confess();
  }

  #count(characters: number): void {
    this.#waiting += characters;
    this.load.unread += characters;
    this.services.account.add('unread', 2 * characters);
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

  /** Lets other calls run between the reports of a handler that reports without end, even if they are not sent. */
  #nextTurn(): Promise<void> {
    return (this.#turn ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#turn = undefined;
        resolve();
      });
    }));
  }
}
