/**
 * The life of a POST, from top to bottom: its body becomes a message, or a batch if the revision has them; the message belongs to a session or
 * to none; the kernel answers it, changes of the session are saved, and the answer is sent (`post-exchange.ts`).
 */
import { Denial } from '@sigil-mcp/core';
import {
  answerBatch,
  batchRefusal,
  endedCall,
  type IncomingRequest,
  type MaybePromise,
  type MessageSource,
  type WrittenAnswer,
} from '@sigil-mcp/core/adapter';
import { RunningCalls, andThen, isPromise } from '@sigil-mcp/core/internal';
import {
  ERROR_CODES,
  ProtocolError,
  writeError,
  type InboundBatch,
  type InboundMessage,
  type InboundNotification,
  type InboundRequest,
  type InboundResponse,
  type RequestId,
} from '@sigil-mcp/protocol';
import { readBody, type BodyMessage } from '../body/body-reader';
import { accepted, clientOf, denied, headersOf, Refusal, refusal, type HttpCall, type RequestHandler } from '../call';
import { checkStreamAccepted } from '../checks/head-checks';
import { checkHeaders } from '../checks/mirrored-headers';
import { readMessageContext, requireSession, type EndpointServices, type MessageContext } from '../endpoint-services';
import type { HttpResponse } from '../port';
import type { Session } from '../sessions/session';
import { PostExchange, type Finish } from './post-exchange';

/** Makes the handler of POST. It throws a `Refusal` for what no handler of the server gets to see, or rejects with one. */
export function postHandler(services: EndpointServices): RequestHandler {
  return (call) => handlePost(call, services);
}

function handlePost(call: HttpCall, services: EndpointServices): MaybePromise<HttpResponse> {
  const message = readBody(call.body, services.kernel.context.limits);
  try {
    return new Post(call, services).take(message);
  } catch (error) {
    // The request was read, so its id is known, regardless of the reason for the refusal.
    const refused = error instanceof Denial ? denied(error) : error;
    throw refused instanceof Refusal && message.kind === 'request' ? refused.about(message.id) : refused;
  }
}

/** Why calls were cut off, and whether the server itself ended. */
interface CallEnd {
  readonly reason: Error;
  readonly byServer: boolean;
}

/** Whether a call that was cut off has had its effects is unknown: it must not be repeated blindly. */
const UNKNOWN_OUTCOME = 'The request was cut off. It is not known whether it was completed.';

const OK: Finish = { status: 200 };

/** One POST. */
class Post {
  constructor(
    private readonly call: HttpCall,
    private readonly services: EndpointServices,
  ) {}

  take(message: BodyMessage): MaybePromise<HttpResponse> {
    const { call, services } = this;
    if (message.kind === 'batch') return this.#takeBatch(message);
    const context = readMessageContext(message, call, services);
    if (message.kind === 'request') return this.#takeRequest(message, context);
    // A notification of a client without a session changes nothing.
    if (message.kind === 'notification' && (!services.sessions || context.standsAlone)) return accepted(call);
    return this.#takeForSession(message, requireSession(context, call));
  }

  /** Takes what has no answer, and acknowledges it when every instance knows it that has to. */
  #takeForSession(message: InboundNotification | InboundResponse, session: Session): MaybePromise<HttpResponse> {
    const { kernel, sessions } = this.services;
    if (message.kind === 'notification') kernel.notice(message, session.conversation);
    else session.conversation.lasting?.acceptResponse(message);
    const saved = andThen(sessions?.messages.passOn(session, message), () => session.save());
    return andThen(saved, () => accepted(this.call));
  }

  #takeRequest(request: InboundRequest, context: MessageContext): MaybePromise<HttpResponse> {
    const { call } = this;
    const { kernel, sessions, streams, unread } = this.services;
    const { standsAlone, hasSession, live, version } = context;
    // One that opens a session belongs to none, unless its client names one.
    const belongs = !standsAlone && hasSession && (request.method !== 'initialize' || live !== undefined);
    const session = belongs ? requireSession(context, call) : undefined;
    const incoming = kernel.open(
      request,
      session ?? { held: undefined, running: this.#newCalls(), version, isStateless: !hasSession },
    );
    checkHeaders(incoming, call.request, standsAlone);
    if (incoming.method?.isLasting) {
      checkStreamAccepted(call.request);
      streams.checkRoom(clientOf(call, kernel.context.account));
    }
    if (!incoming.method?.isUnlimited) unread.check(call);
    const { conversation, opens } = incoming.opening;
    if (opens && sessions && conversation.revision.http.sessions) {
      const { running } = conversation;
      const countedFor = clientOf(call, kernel.context.account);
      const opened = sessions.open({ conversation, running, caller: call.caller, countedFor });
      call.answerHeaders = { 'mcp-session-id': opened.id };
      return this.#answer(incoming, opened, true);
    }
    const response = this.#answer(incoming, session);
    if (session) sessions?.messages.begun(session, [request.id]);
    return response;
  }

  /** The calls of messages that belong to no session, counted for their client. */
  #newCalls(): RunningCalls {
    const { account } = this.services.kernel.context;
    return new RunningCalls(account.loadOf(clientOf(this.call, account)));
  }

  /** Answers a request, now or later. */
  #answer(incoming: IncomingRequest, session: Session | undefined, isNew = false): MaybePromise<HttpResponse> {
    const { id, method } = incoming.request;
    const { conversation } = incoming.opening;
    const exchange = new PostExchange(this.call, this.services, { conversation, session, method, ids: [id] });
    let answered = this.services.kernel.answer(incoming, exchange);
    // From now on the call is charged for what it holds.
    this.call.closeBody?.();
    // The changes of a session are saved before its request is answered.
    if (session)
      answered = isPromise(answered)
        ? answered.then((answer) => this.#save(answer, id, session))
        : this.#save(answered, id, session);
    return this.#end(exchange, answered, (answer) => {
      if (isNew && session && answer?.failure) this.#giveUp(session);
      if (answer) exchange.finish([answer], this.#headOf(answer, exchange));
      else this.#finishCancelled(exchange, id);
    });
  }

  /** Answers the requests of a batch together, after all of them have finished. */
  #takeBatch(batch: InboundBatch): MaybePromise<HttpResponse> {
    const { call, services } = this;
    const { kernel, sessions, unread } = services;
    const { messages } = batch;
    const context = readMessageContext(undefined, call, services);
    const isAlone = context.standsAlone || messages.some((message) => kernel.conversations.standsAlone(message));
    const session = sessions && !isAlone ? requireSession(context, call) : undefined;
    const connection = session ?? this.#batchConnection(context);
    const error = batchRefusal(batch, connection, kernel);
    if (error instanceof Denial) throw error;
    const conversation = connection.held;
    if (error || !conversation) throw refusal(400, error?.message ?? 'The batch belongs to no session.');
    unread.check(call);
    const ids = messages.flatMap((message) => (message.kind === 'request' ? [message.id] : []));
    return andThen(session && sessions?.messages.passOnAll(session, messages), () => {
      const exchange = new PostExchange(call, services, { conversation, session, method: 'a batch', ids });
      const answered = answerBatch(batch, connection, { kernel, exchange });
      call.closeBody?.();
      const response = this.#end(exchange, session ? this.#savedBatch(answered, ids, session) : answered, (list) => {
        const answers = list.map((answer, index) => answer ?? this.#interrupted(messages[index], session));
        exchange.finish(
          answers.filter((answer) => answer !== undefined),
          { isBatch: true },
        );
      });
      if (session) sessions?.messages.begun(session, ids);
      return response;
    });
  }

  /** The connection of a batch that belongs to no session: all of its members are answered in one conversation. */
  #batchConnection({ version }: MessageContext): MessageSource {
    const running = this.#newCalls();
    return { held: this.services.kernel.conversations.openStateless(version, running), running };
  }

  /** Returns the answer, or what is sent in its place if the changes of its session cannot be saved. */
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
    return new ProtocolError('internal-error', this.services.kernel.context.maskError(error, { method: 'A session' }));
  }

  /** Ends an exchange when its answer is there. Until then its session is in use, and its client may leave. */
  #end<T>(exchange: PostExchange, answered: MaybePromise<T>, finish: (answer: T) => void): MaybePromise<HttpResponse> {
    const { session, conversation, ids } = exchange;
    const end = (answer: T): void => {
      try {
        finish(answer);
      } catch (error) {
        exchange.fail(error);
      }
    };
    if (!isPromise(answered)) {
      session?.touch();
      end(answered);
      return exchange.response;
    }
    const { running, revision } = conversation;
    const { request } = this.call;
    // Only the requests of this exchange, because their session may have others.
    if (revision.http.disconnectCancels)
      request.onClosed(() => ids.forEach((id) => running.cancel(id, endedCall('SIGIL_CLIENT_GONE'))));
    const use = session?.use();
    if (use) request.onClosed(use.left);
    const stop = this.services.exchanges.begin(running, answered);
    const close = (): void => {
      stop();
      use?.done();
    };
    answered.then(
      (answer) => {
        close();
        end(answer);
      },
      (error: unknown) => {
        close();
        exchange.fail(error);
      },
    );
    return exchange.response;
  }

  /** Closes a session whose handshake has failed. */
  #giveUp(session: Session): void {
    this.call.answerHeaders = undefined;
    this.services.sessions?.giveUp(session);
  }

  /** The status of an answer: that of a guard's denial, else the one that the revision defines for the error code, else 200. */
  #headOf({ failure, code }: WrittenAnswer, { conversation }: PostExchange): Finish {
    if (failure instanceof Denial) {
      const challenge = this.services.challenges?.find(failure);
      const headers = { ...headersOf(failure), ...(challenge !== undefined && { 'www-authenticate': challenge }) };
      return { status: failure.status, headers };
    }
    return code === undefined ? OK : { status: conversation.revision.http.errorStatus[code] ?? 200 };
  }

  /**
   * Ends the exchange of a cancelled request. Its client expects no answer, unless the session or the server ended: then its status is not
   * 503, which would allow the client to repeat the request.
   */
  #finishCancelled(exchange: PostExchange, id: RequestId): void {
    const cause = this.#interruption(exchange.session);
    if (!cause) return exchange.finish([]);
    exchange.finish([writeInterrupted(id, cause)], { status: cause.byServer ? 500 : 404 });
  }

  /** The answer to a request of a batch that did not finish because its session or the server ended. */
  #interrupted(message: InboundMessage | undefined, session: Session | undefined): WrittenAnswer | undefined {
    const cause = this.#interruption(session);
    return cause && message?.kind === 'request' ? writeInterrupted(message.id, cause) : undefined;
  }

  #interruption(session: Session | undefined): CallEnd | undefined {
    const { closedBy } = this.services.exchanges;
    const reason = session?.closedBy ?? closedBy;
    return reason && { reason, byServer: closedBy !== undefined };
  }
}

function writeInterrupted(id: RequestId, { reason: { message }, byServer }: CallEnd): WrittenAnswer {
  const said = byServer ? `${message} ${UNKNOWN_OUTCOME}` : message;
  return { text: writeError(id, { code: ERROR_CODES['internal-error'], message: said }) };
}
