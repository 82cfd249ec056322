/** One request from beginning to end: its questions, its progress, its time limit, its cancellation. */
import {
  LONGEST_TIMER,
  OPTION_RULES,
  orNull,
  requireOptions,
  withOthers,
  type Clock,
  type OptionRule,
  type Timer,
} from '@sigil-mcp/base';
import type { JsonObject, ResultType } from '@sigil-mcp/protocol';
import type { Connection, SentRequest } from '../connection/connection';
import { answerRounds, type AnswerQuestion } from '../connection/questions';
import type { ClientConversation, PlainRequest } from '../conversations/client-conversation';
import { clientError } from '../errors';
import { objectOf } from '../json';
import type { Notifications, Progress } from './notifications';

/** The options of one request. */
export interface RequestOptions {
  /** Cancels the request: the server is notified, and the promise is rejected with `SIGIL_CLIENT_CANCELLED`. Never if left out. */
  readonly signal?: AbortSignal;
  /**
   * Milliseconds that the server may be silent: each progress report restarts the time, and it does not run while the application answers a
   * question. `Infinity` for no limit; that of the client if left out.
   */
  readonly timeout?: number;
  /** Receives each progress report before the result; no progress is requested if left out. */
  readonly onProgress?: (progress: Progress) => void;
  /** Metadata in addition to those that the client sends; none if left out. */
  readonly meta?: JsonObject;
}

/** The options of a request that may be answered with a result of an extension. */
export interface TypedRequestOptions<R extends object> extends RequestOptions {
  /** Results in place of a complete one that the application can handle: such an answer is a `TypedResult` of one of these types. */
  readonly resultTypes: readonly ResultType<R>[];
}

const MEMBERS: Readonly<Record<keyof TypedRequestOptions<object> | 'onTask', OptionRule>> = {
  signal: orNull(OPTION_RULES.object),
  timeout: orNull(OPTION_RULES.milliseconds),
  onProgress: orNull(OPTION_RULES.function),
  meta: orNull(OPTION_RULES.object),
  resultTypes: OPTION_RULES.list,
  onTask: orNull(OPTION_RULES.function),
};
/** For the one check of options: those of a program may be for several functions. */
export const REQUEST_OPTIONS = withOthers(MEMBERS);

/** What a request needs of its client. */
export interface Line {
  readonly connection: Connection;
  readonly conversation: ClientConversation;
  readonly notifications: Notifications;
  readonly answer: AnswerQuestion;
  readonly clock: Clock;
  /** Milliseconds that the server may be silent. */
  readonly timeout: number;
  /** Milliseconds after which a request ends, even if the server reports progress. */
  readonly maxTimeout: number;
}

/** A request that can be ended by its caller. */
export class ClientRequest {
  /** The request that is pending; another one in each round of questions. */
  sent: SentRequest | undefined;
  readonly result: Promise<JsonObject>;
  readonly #over = new AbortController();
  readonly #timeout: number;
  #timer: Timer | undefined;
  #latest = Infinity;
  /** What the server had sent before that belongs to no request. */
  #earlierFault: Error | undefined;

  constructor(
    private readonly line: Line,
    private readonly request: PlainRequest,
    private readonly options: RequestOptions,
  ) {
    requireOptions(`a request of ${request.method}`, options, REQUEST_OPTIONS);
    this.#timeout = options.timeout ?? line.timeout;
    this.result = this.#run();
    // Those who await the result see the error; a result that nobody awaits causes no unhandled rejection.
    this.result.catch(() => undefined);
  }

  /** Cancels the request in the way of the revision and the transport. */
  cancel(reason: Error): void {
    this.#over.abort(reason);
  }

  async #run(): Promise<JsonObject> {
    const { signal, onProgress } = this.options;
    const { notifications, answer } = this.line;
    const onAbort = (): void => this.cancel(this.#cancelled(signal?.reason));
    if (signal?.aborted) throw this.#cancelled(signal.reason);
    signal?.addEventListener('abort', onAbort);
    if (this.#timeout !== Infinity) this.#latest = this.line.clock.elapsed() + this.line.maxTimeout;
    const ended = new Promise<never>((_resolve, reject) =>
      this.#over.signal.addEventListener('abort', () => {
        this.#takeBack();
        reject(this.#over.signal.reason as Error);
      }),
    );
    ended.catch(() => undefined);
    const token = this.#progressToken();
    const stop =
      onProgress &&
      notifications.onProgress(token, (progress) => {
        this.#restart();
        onProgress(progress);
      });
    const send = (extra: JsonObject): Promise<JsonObject> => this.#send(extra, onProgress ? token : undefined);
    const rounds = { answer, retry: send, signal: this.#over.signal };
    // Between two rounds there is no request that a closed connection would end.
    const forget = this.line.connection.onOver((error) => this.cancel(error));
    try {
      return await Promise.race([ended, send({}).then((first) => answerRounds(first, rounds))]);
    } finally {
      this.#timer?.close();
      stop?.();
      forget();
      signal?.removeEventListener('abort', onAbort);
    }
  }

  async #send(extra: JsonObject, progressToken: string | undefined): Promise<JsonObject> {
    this.#over.signal.throwIfAborted();
    const { method, params } = this.request;
    const meta = {
      ...objectOf(params['_meta']),
      ...this.options.meta,
      ...(progressToken !== undefined && { progressToken }),
    };
    const all = { ...params, ...extra, ...(Object.keys(meta).length > 0 && { _meta: meta }) };
    this.#restart();
    this.#earlierFault = this.line.connection.lastFault;
    this.sent = this.line.connection.ask(method, this.line.conversation.dress(all));
    try {
      return await this.sent.result;
    } finally {
      // The time of the application is not the time of the server.
      this.#timer?.close();
    }
  }

  #restart(): void {
    this.#timer?.close();
    const { clock } = this.line;
    const left = Math.min(this.#timeout, this.#latest - clock.elapsed());
    if (left <= LONGEST_TIMER) this.#timer = clock.after(Math.max(left, 0), () => this.#late());
  }

  #late(): void {
    const { connection, clock } = this.line;
    if (connection.isAnswering && clock.elapsed() < this.#latest) return this.#restart();
    const timeout = clock.elapsed() < this.#latest ? this.#timeout : this.line.maxTimeout;
    const words = { method: this.request.method, timeout };
    // What came in place of an answer, such as a log line on stdout, is the likely reason.
    const cause = connection.lastFault === this.#earlierFault ? undefined : connection.lastFault;
    this.cancel(clientError('SIGIL_CLIENT_TIMEOUT', words, cause && { cause }));
  }

  #takeBack(): void {
    const { sent } = this;
    const { connection, conversation } = this.line;
    // Between two rounds there is nothing to cancel.
    if (!sent || !connection.waitsFor(sent.id)) return;
    const hangsUp = connection.pipe.hangUp !== undefined && conversation.http.rules.disconnectCancels;
    // A handshake must not be cancelled: the connection is closed instead.
    if (!hangsUp && this.request !== conversation.opening)
      connection.post({ method: 'notifications/cancelled', params: { requestId: sent.id } });
    connection.pipe.hangUp?.(sent.id);
    connection.fail(this.#over.signal.reason as Error, sent.id);
  }

  #progressToken(): string {
    return `progress-${crypto.randomUUID()}`;
  }

  #cancelled(cause: unknown): Error {
    return clientError('SIGIL_CLIENT_CANCELLED', { id: this.sent?.id ?? 'before it was sent' }, { cause });
  }
}
