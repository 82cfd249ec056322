/**
 * One POST and what goes back: JSON, unless something has to be said before the answer. Then, or where streams are wanted
 * always, the response becomes an event stream; its status was decided before.
 */
import type { Answer, AuthenticatedUser, Exchange, RequestHeaders } from '@sigil-mcp/core';
import type { FastifyReply } from 'fastify';
import type { Outlet } from './outlet';

/** What an exchange is opened with. */
export interface HttpExchangeParts {
  readonly reply: FastifyReply;
  readonly user: AuthenticatedUser | undefined;
  /** `always`: also an answer without anything before it goes out as a stream. */
  readonly mode: 'auto' | 'always';
  /** Turns the response into a stream. */
  readonly openOutlet: () => Outlet;
}

/** Made for one POST. */
export class HttpExchange implements Exchange {
  #outlet: Outlet | undefined;

  constructor(private readonly parts: HttpExchangeParts) {}

  get headers(): RequestHeaders {
    return this.parts.reply.request.headers;
  }

  get user(): AuthenticatedUser | undefined {
    return this.parts.user;
  }

  notify(text: string): void | Promise<void> {
    return this.#stream().send(text);
  }

  /** Opens the stream for it, where it is not open yet: only then has the client an id to come back with. */
  release(): void {
    this.#stream().release?.();
  }

  /**
   * Sends the answer, and that is all.
   * @param answer undefined if the request was cancelled and there is nothing to say
   * @param status of a response that is no stream; one that is has said 200 long ago
   */
  finish(answer: Answer | undefined, status: number): void {
    if (this.#outlet || (this.parts.mode === 'always' && status === 200)) {
      if (answer) void this.#stream().send(answer.text);
      this.#stream().end();
    } else if (answer) this.#sendJson(answer.bytes?.() ?? answer.text, status);
    else this.#sendNothing();
  }

  /** The answers to a batch. */
  finishBatch(answers: readonly Answer[]): void {
    if (this.#outlet) {
      for (const { text } of answers) void this.#outlet.send(text);
      this.#outlet.end();
    } else if (answers.length > 0) this.#sendJson(`[${answers.map(({ text }) => text).join(',')}]`, 200);
    else this.#sendNothing();
  }

  #sendJson(body: string | Buffer, status: number): void {
    void this.parts.reply.code(status).header('content-type', 'application/json').send(body);
  }

  /** A request that was cancelled has no answer; the exchange still needs an end. */
  #sendNothing(): void {
    void this.parts.reply.code(202).send();
  }

  #stream(): Outlet {
    return (this.#outlet ??= this.parts.openOutlet());
  }
}
