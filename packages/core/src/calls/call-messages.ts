/** The messages of one call to its client before its answer: notifications, progress and logs. Made when there is the first. */
import {
  LOG_LEVELS,
  type JsonValue,
  type LogLevel,
  type RequestMeta,
  type Revision,
  type ServerNotification,
} from '@sigil-mcp/protocol';
import { unawaited, type MaybePromise } from '@sigil-mcp/base';
import type { Logger } from '../logging/logger';
import type { CallServices } from './call-services';
import type { Conversation } from './conversation';
import type { Exchange } from './exchange';
import { LimitedNotifications } from './limited-notifications';

/** The call that they belong to. */
export interface MessagingCall {
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
