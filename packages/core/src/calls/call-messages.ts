/** The messages of one call to its client before its answer: notifications, progress and logs. Made when there is the first. */
import { isPromise, unawaited, type MaybePromise } from '@sigil-mcp/base';
import {
  LOG_LEVELS,
  type JsonValue,
  type LogLevel,
  type RequestMeta,
  type Revision,
  type ServerNotification,
} from '@sigil-mcp/protocol';
import type { ClientLoad } from '../limits/client-load';
import type { Logger } from '../logging/logger';
import type { CallServices } from './call-services';
import type { Conversation, Exchange } from './conversation';

/** The call that they belong to. */
interface MessagingCall {
  readonly meta: RequestMeta;
  readonly revision: Revision;
  readonly conversation: Conversation;
  readonly exchange: Exchange;
  /** Whether nothing may be sent for it any more. */
  readonly isSilent: boolean;
  /** Finds the refusal that may follow; nothing is sent before that. */
  readonly findRefusal: (() => Error | undefined) | undefined;
  note(severity: keyof Logger, message: string): void;
}

/** Sends the messages of one call. */
export class CallMessages {
  #lastProgress = Number.NEGATIVE_INFINITY;
  #limited: LimitedNotifications | undefined;

  constructor(
    private readonly call: MessagingCall,
    private readonly services: Pick<CallServices, 'limits' | 'clock' | 'account'>,
  ) {}

  /** Sends a notification that belongs to the call. */
  tell(notification: ServerNotification): MaybePromise<void> {
    const text = this.call.isSilent ? undefined : this.#write(notification);
    return text === undefined ? undefined : this.call.exchange.notify(text);
  }

  /** Sends a notification independently of the call: neither backpressure nor a failure to send it affects the call. */
  mention(notification: ServerNotification): void {
    const fail = (): void => this.call.note('debug', `${notification.method} could not be sent`);
    try {
      unawaited(this.tell(notification), fail);
    } catch {
      fail();
    }
  }

  /** Reports progress to the client, if it asked for progress and the value is greater than before. */
  progress(progress: number, total: number | undefined, message: string | undefined): MaybePromise<void> {
    const { meta, isSilent, exchange } = this.call;
    if (exchange.progress) return exchange.progress(progress, total, message);
    const { progressToken } = meta;
    if (progressToken === undefined || isSilent || !(progress > this.#lastProgress) || progress === Infinity) return;
    this.#lastProgress = progress;
    const text = this.#write({
      method: 'notifications/progress',
      progressToken,
      progress,
      // JSON cannot hold a number that is not finite.
      ...(Number.isFinite(total) && { total: total as number }),
      ...(message === undefined ? {} : { message }),
    });
    return text === undefined ? undefined : this.#talk.progress(text, progress === total);
  }

  /** Sends a log message, if the client wants messages of its level. */
  log(level: LogLevel, data: JsonValue): void {
    const { conversation, meta, isSilent } = this.call;
    const threshold = conversation.logThreshold(meta);
    if (isSilent || threshold === undefined || LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(threshold)) return;
    const text = this.#write({ method: 'notifications/message', level, data });
    if (text !== undefined) this.#talk.log(text);
  }

  /** Notifies the client of log messages that were left out; nothing may follow. */
  end(): void {
    this.#limited?.end();
  }

  /** The text of a notification; undefined if the revision does not have it, or if the call is to be refused. */
  #write(notification: ServerNotification): string | undefined {
    const { findRefusal, revision } = this.call;
    const written = findRefusal?.() ? undefined : revision.writeNotification(notification);
    return written && JSON.stringify(written);
  }

  get #talk(): LimitedNotifications {
    return (this.#limited ??= new LimitedNotifications(
      this.call.conversation.running.load,
      this.services,
      (text) => this.call.exchange.notify(text),
      (leftOut) => this.#confess(leftOut),
    ));
  }

  #confess(leftOut: number): void {
    const data = `${leftOut} log messages were left out here, because those before them were not read (limits.unread).`;
    this.mention({ method: 'notifications/message', level: 'warning', data });
  }
}

// The messages of a call before its answer: logs and progress. A client that does not read makes the server hold them, so there is a
// limit; and progress that is too fast to follow is not sent at all.

/** Made for a call that sends such messages. */
class LimitedNotifications {
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
