/** Requests by POST, from their dispatch to the last byte of their answer. */
import { randomUUID } from 'node:crypto';
import { Denial, type Logger } from '@sigil-mcp/core';
import {
  answerBatch,
  callFields,
  endedCall,
  isPromise,
  type WrittenAnswer,
  type MessageSource,
  type IncomingRequest,
  type Kernel,
  type MaybePromise,
  type RunningCalls,
} from '@sigil-mcp/core/adapter';
import {
  ERROR_CODES,
  ProtocolError,
  writeError,
  type InboundBatch,
  type InboundMessage,
  type RequestId,
} from '@sigil-mcp/protocol';
import type { Challenges } from '../authorization/challenges';
import type { StreamMode } from '../options/endpoint-options';
import type { Session } from '../sessions/session';
import type { HttpRequest, HttpResponse } from '../port';
import { PlainOutlet } from '../streams/outlet';
import { frame } from '../streams/sse-event';
import type { EventStreams } from '../streams/event-streams';
import { ObservedWholeStream } from '../streams/observed-streams';
import { WholeStream } from '../streams/whole-stream';
import { headersOf, Refusal } from '../responses';
import { statusOf, writeInterrupted, type CallInterruption } from './interrupted-answer';
import {
  finishWith,
  type End,
  HttpExchange,
  type ExchangeRequests,
  type ExchangeHost,
  type Finish,
  type OpenedStream,
  type Setting,
} from './http-exchange';
import type { UnreadAnswers } from './unread-answers';

/** The services that all exchanges of an endpoint share. */
export interface ExchangeServices {
  readonly kernel: Kernel;
  readonly logger: Logger;
  readonly streams: EventStreams;
  readonly unread: UnreadAnswers;
  /** Names missing rights in challenges; undefined without authentication. */
  readonly challenges: Challenges | undefined;
  /** `always`: every answer is a stream, also one without earlier messages. */
  readonly mode: StreamMode;
  /** Whether there are sessions. */
  readonly hasSessions: boolean;
}

/** Runs exchanges, and tracks the running ones. */
export class Exchanges implements ExchangeHost {
  readonly #open = new Set<{ readonly running: RunningCalls; readonly done: Promise<unknown> }>();
  #closedBy: Error | undefined;

  readonly mode: StreamMode;
  readonly hasSessions: boolean;

  constructor(private readonly services: ExchangeServices) {
    this.mode = services.mode;
    this.hasSessions = services.hasSessions;
  }

  /** Whether an exchange is running. */
  get areRunning(): boolean {
    return this.#open.size > 0;
  }

  /** Resolves when no exchange is running, including exchanges that start meanwhile. */
  async drain(): Promise<void> {
    while (this.areRunning) await Promise.allSettled([...this.#open].map(({ done }) => done));
  }

  /** Cancels everything that is still running. */
  cancelAll(reason: Error): void {
    this.#closedBy = reason;
    for (const { running } of this.#open) running.cancelAll(() => reason);
  }

  /**
   * Answers a request, now or later.
   * @param beforeSending receives the answer, undefined for a cancelled request, while headers can still be changed
   */
  answer(
    incoming: IncomingRequest,
    setting: Setting,
    beforeSending?: (answer: WrittenAnswer | undefined) => void,
  ): MaybePromise<HttpResponse> {
    const { id } = incoming.request;
    const { conversation, call, session } = setting;
    const asked: ExchangeRequests = { conversation, call, session, method: incoming.request.method, ids: [id] };
    const exchange = new HttpExchange(asked, this);
    const answered = this.services.kernel.answer(incoming, exchange);
    // From now on the call is charged for what it holds.
    call.closeBody?.();
    this.#track(asked, session ? this.#saved(answered, id, session) : answered, {
      finish: (answer) => {
        beforeSending?.(answer);
        if (answer) exchange.finish([answer], this.#headOf(answer, setting));
        else this.#finishCancelled(exchange, id, setting);
      },
      fail: (error) => exchange.fail(error),
    });
    return exchange.response;
  }

  /** Answers the requests of a batch together, after all of them have finished. */
  answerBatch(batch: InboundBatch, connection: MessageSource, setting: Setting): MaybePromise<HttpResponse> {
    const ids = batch.messages.flatMap((message) => (message.kind === 'request' ? [message.id] : []));
    const asked: ExchangeRequests = { ...setting, method: 'a batch', ids };
    const exchange = new HttpExchange(asked, this);
    const answers = answerBatch(batch, connection, { kernel: this.services.kernel, exchange });
    setting.call.closeBody?.();
    this.#track(asked, setting.session ? this.#savedBatch(answers, ids, setting.session) : answers, {
      finish: (list) => {
        const answers = list.map((answer, index) => answer ?? this.#interrupted(batch.messages[index], setting));
        exchange.finish(
          answers.filter((answer) => answer !== undefined),
          { isBatch: true },
        );
      },
      fail: (error) => exchange.fail(error),
    });
    return exchange.response;
  }

  /** Saves the changes of a session before the request is answered. */
  #saved(
    answered: MaybePromise<WrittenAnswer | undefined>,
    id: RequestId,
    session: Session,
  ): MaybePromise<WrittenAnswer | undefined> {
    return isPromise(answered)
      ? answered.then((answer) => this.#save(answer, id, session))
      : this.#save(answered, id, session);
  }

  #save(answer: WrittenAnswer | undefined, id: RequestId, session: Session): MaybePromise<WrittenAnswer | undefined> {
    if (answer?.failure) return answer;
    try {
      const saved = session.save();
      if (!isPromise(saved)) return answer;
      return saved.then(
        () => answer,
        (error: unknown) => this.#unsaved(id, error),
      );
    } catch (error) {
      return this.#unsaved(id, error);
    }
  }

  async #savedBatch(
    answered: Promise<readonly (WrittenAnswer | undefined)[]>,
    ids: readonly RequestId[],
    session: Session,
  ): Promise<readonly (WrittenAnswer | undefined)[]> {
    const answers = await answered;
    try {
      await session.save();
      return answers;
    } catch (error) {
      return ids.map((id) => this.#unsaved(id, error));
    }
  }

  /** The error in place of an answer whose changes could not be saved. */
  #unsaved(id: RequestId, error: unknown): WrittenAnswer {
    const failure = this.#failureOf(error);
    const { message, data } = failure;
    const written = { code: ERROR_CODES['internal-error'], message, ...(data !== undefined && { data }) };
    return { text: writeError(id, written), failure };
  }

  #failureOf(error: unknown): ProtocolError {
    if (error instanceof Denial) return error;
    if (error instanceof Refusal) {
      const seconds = error.headers['retry-after'];
      const later = seconds === undefined ? {} : { retryAfter: Number(seconds) };
      return new Denial(error.message, { status: error.status, ...later });
    }
    return new ProtocolError('internal-error', this.services.kernel.maskError(error, { method: 'A session' }));
  }

  /** An error while sending ends only this exchange, and its requests are cancelled. */
  failed({ conversation, call, method, ids }: ExchangeRequests, error: unknown): string {
    const errorId = randomUUID();
    const [id] = ids.length === 1 ? ids : [];
    const exchange = { headers: call.request.headers, caller: call.caller };
    const fields = callFields({ method, ...(id !== undefined && { id }), exchange });
    this.services.logger.error({ errorId, ...fields, err: error }, 'An answer could not be sent');
    for (const id of ids) conversation.running.cancel(id, endedCall('SIGIL_CLIENT_GONE'));
    const message = `Internal error (id ${errorId}). The server's log has the details under this id.`;
    return writeError(id ?? conversation.revision.unreadableId, { code: ERROR_CODES['internal-error'], message });
  }

  /** The answer to a request of a batch that did not finish because its session or the server ended. */
  #interrupted(message: InboundMessage | undefined, { session }: Setting): WrittenAnswer | undefined {
    const cause = this.#interruptionOf(session);
    return cause && message?.kind === 'request' ? { text: writeInterrupted(message.id, cause) } : undefined;
  }

  /** Ends the exchange of a cancelled request. Its client expects no answer, unless the session or the server ended. */
  #finishCancelled(exchange: HttpExchange, id: RequestId, { session }: Setting): void {
    const cause = this.#interruptionOf(session);
    if (!cause) return exchange.finish([]);
    exchange.finish([{ text: writeInterrupted(id, cause) }], { status: statusOf(cause) });
  }

  #interruptionOf(session: Session | undefined): CallInterruption | undefined {
    const reason = session?.closedBy ?? this.#closedBy;
    return reason && { reason, byServer: this.#closedBy !== undefined };
  }

  openStream(asked: ExchangeRequests): OpenedStream {
    const { call, ids } = asked;
    const stream = this.services.streams.open({ call, kind: 'post' });
    const session = resumable(asked);
    return { stream, outlet: session ? session.openStream(stream, ids) : new PlainOutlet(stream) };
  }

  writeWhole(asked: ExchangeRequests, text: string): WholeStream | undefined {
    const session = resumable(asked);
    const events = session ? session.writeWhole(text) : frame({ data: text });
    if (events === undefined) return undefined;
    const { observers } = this.services.kernel;
    if (!observers) return new WholeStream(events);
    return new ObservedWholeStream(events, asked.call, observers);
  }

  sent({ call }: ExchangeRequests, waiting: number): void {
    this.services.unread.hold(call, waiting);
  }

  #track<T>(
    { session, conversation, ids, call: { request } }: ExchangeRequests,
    answered: T | Promise<T>,
    end: End<T>,
  ): void {
    if (!isPromise(answered)) {
      session?.touch();
      finishWith(end, answered);
      return;
    }
    const { running, revision } = conversation;
    if (revision.http.disconnectCancels) cancelWithConnection(request, running, ids);
    const use = session?.use();
    if (use) request.onClosed(use.left);
    const exchange = { running, done: answered };
    this.#open.add(exchange);
    const close = (): void => {
      this.#open.delete(exchange);
      use?.done();
    };
    answered.then(
      (value) => {
        close();
        finishWith(end, value);
      },
      (error: unknown) => {
        close();
        end.fail(error);
      },
    );
  }

  /** The status of an answer: that of a guard's denial, else the one that the revision defines for the error code, else 200. */
  #headOf({ failure, code }: WrittenAnswer, { conversation }: Setting): Pick<Finish, 'status' | 'headers'> {
    if (failure instanceof Denial) {
      const challenge = this.services.challenges?.find(failure);
      const headers = { ...headersOf(failure), ...(challenge !== undefined && { 'www-authenticate': challenge }) };
      return { status: failure.status, headers };
    }
    return code === undefined ? OK : { status: conversation.revision.http.errorStatus[code] ?? 200 };
  }
}

const OK = { status: 200 };

/** The session of an exchange, if its client can ask for the events of a stream again. */
function resumable({ session, conversation }: ExchangeRequests): Session | undefined {
  return conversation.revision.http.replay ? session : undefined;
}

/** Cancels only the requests of this exchange, because their session may have others. */
function cancelWithConnection(request: HttpRequest, running: RunningCalls, ids: readonly RequestId[]): void {
  request.onClosed(() => {
    for (const id of ids) running.cancel(id, endedCall('SIGIL_CLIENT_GONE'));
  });
}
