/** Requests that came by POST, from their dispatch to the last byte of their answer. */
import {
  Denial,
  isPromise,
  type Answer,
  type AuthenticatedUser,
  type Conversation,
  type Kernel,
  type RunningCalls,
} from '@sigil-mcp/core';
import { writeError, type InboundMessage, type InboundRequest } from '@sigil-mcp/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Session } from '../sessions/session';
import { HttpExchange } from './http-exchange';
import type { Outlet } from './outlet';
import { PlainOutlet } from './plain-outlet';
import type { SseStreams } from './sse-streams';

/** An HTTP request that has passed the checks of its head. */
export interface HttpCall {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly user: AuthenticatedUser | undefined;
}

/** Where requests are answered. */
export interface Setting {
  readonly conversation: Conversation;
  readonly running: RunningCalls;
  readonly call: HttpCall;
  /** Undefined where there is none to come back to. */
  readonly session?: Session;
}

/** What all exchanges of an endpoint share. */
export interface ExchangesParts {
  readonly kernel: Kernel;
  readonly streams: SseStreams;
  readonly mode: 'auto' | 'always';
}

/** Runs exchanges, and knows which still run. */
export class Exchanges {
  readonly #open = new Set<{ readonly running: RunningCalls; readonly done: Promise<unknown> }>();
  #closedBy: Error | undefined;

  constructor(private readonly parts: ExchangesParts) {}

  /** Resolves when everything that runs now is answered. */
  async drain(): Promise<void> {
    await Promise.all([...this.#open].map(({ done }) => done));
  }

  /** Gives up on everything that still runs. */
  cancelAll(reason: Error): void {
    this.#closedBy = reason;
    for (const { running } of this.#open) running.cancelAll(reason);
  }

  /** @param beforeSending sees the answer while headers can still be changed */
  answer(request: InboundRequest, setting: Setting, beforeSending?: (answer: Answer | undefined) => void): void {
    const exchange = this.#openExchange(setting);
    const answered = this.parts.kernel.answer(request, { conversation: setting.conversation, exchange });
    this.#track(setting, answered, (answer) => {
      beforeSending?.(answer);
      if (answer) exchange.finish(answer, statusOf(answer, setting));
      else this.#finishCancelled(exchange, request, setting);
    });
  }

  /** Whoever cancelled a request waits for nothing; a client that the server cuts off still does. */
  #finishCancelled(exchange: HttpExchange, { id }: InboundRequest, { session }: Setting): void {
    const reason = session?.closedBy ?? this.#closedBy;
    if (!reason) exchange.finish(undefined, 202);
    else
      exchange.finish({ text: writeError(id, { code: -32603, message: reason.message }) }, this.#closedBy ? 503 : 404);
  }

  /** Answers the requests of a batch together; what is no request is taken, what is no message is answered as such. */
  answerBatch(messages: readonly InboundMessage[], setting: Setting): void {
    const exchange = this.#openExchange(setting);
    const answers = Promise.all(messages.map((message) => this.#answerInBatch(message, setting, exchange)));
    this.#track(setting, answers, (list) => exchange.finishBatch(list.filter((answer) => answer !== undefined)));
  }

  async #answerInBatch(
    message: InboundMessage,
    { conversation }: Setting,
    exchange: HttpExchange,
  ): Promise<Answer | undefined> {
    const { unreadableId } = conversation.revision;
    switch (message.kind) {
      case 'request':
        if (message.method !== 'initialize') return this.parts.kernel.answer(message, { conversation, exchange });
        return { text: writeError(message.id, { code: -32600, message: 'initialize must not be part of a batch.' }) };
      case 'notification':
        this.parts.kernel.notice(message, conversation);
        return undefined;
      case 'response':
        conversation.acceptResponse(message);
        return undefined;
      case 'invalid':
        return message.silent ? undefined : { text: writeError(message.id ?? unreadableId, message.error) };
    }
  }

  #openExchange({ call: { reply, user }, session, conversation }: Setting): HttpExchange {
    const { streams, mode } = this.parts;
    const { http } = conversation.revision;
    return new HttpExchange({
      reply,
      user,
      mode,
      openOutlet: () => openOutlet(streams, reply, http.replay ? session : undefined),
    });
  }

  #track<T>(
    { running, session, conversation, call: { reply } }: Setting,
    answered: T | Promise<T>,
    finish: (value: T) => void,
  ): void {
    if (!isPromise(answered)) {
      session?.use()();
      finish(answered);
      return;
    }
    if (conversation.revision.http.disconnectCancels) {
      reply.raw.once('close', () => {
        if (!reply.raw.writableFinished) running.cancelAll(new Error('The client closed the connection.'));
      });
    }
    const release = session?.use();
    const exchange = { running, done: answered };
    this.#open.add(exchange);
    void answered.then((value) => {
      this.#open.delete(exchange);
      release?.();
      finish(value);
    });
  }
}

function openOutlet(streams: SseStreams, reply: FastifyReply, session: Session | undefined): Outlet {
  const connection = streams.open(reply);
  return session ? session.openStream(connection) : new PlainOutlet(connection);
}

/** A guard's denial names its status; else the revision has one for the error's code. */
function statusOf({ failure, code }: Answer, { conversation, call }: Setting): number {
  if (failure instanceof Denial) {
    if (failure.challenge !== undefined) void call.reply.header('www-authenticate', failure.challenge);
    return failure.status;
  }
  return code === undefined ? 200 : (conversation.revision.http.errorStatus[code] ?? 200);
}
