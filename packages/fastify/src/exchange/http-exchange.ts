/**
 * One POST and its response: JSON, unless a message has to be sent before the answer. Then, or if streams are always
 * wanted, the response becomes an event stream; its status was decided before.
 */
import type { Caller, RequestHeaders } from '@sigil-mcp/core';
import {
  ANONYMOUS,
  readAddress,
  unawaited,
  type Answer,
  type Exchange,
  type MirroredArgument,
} from '@sigil-mcp/core/adapter';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { distinctHeaders } from '../checks/distinct-headers';
import { checkMirroredArguments } from '../checks/mirrored-headers';
import { answerBare } from '../refusals/bare-answer';
import type { StreamMode } from '../options/endpoint-options';
import type { Outlet } from '../streams/outlet';

/** An HTTP request that has passed the checks of its head. */
export interface HttpCall {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Of the kind `anonymous` without authentication. */
  readonly caller: Caller;
}

/** The headers that handlers may see: without the token of the caller. */
export function visibleHeaders({ request, caller }: Pick<HttpCall, 'request' | 'caller'>): RequestHeaders {
  if (caller === ANONYMOUS) return request.headers;
  const { authorization: _token, ...visible } = request.headers;
  return visible;
}

/** The options and callbacks for the answer of a POST. */
export interface AnswerManners {
  /** `always`: every answer is a stream, also one without earlier messages. */
  readonly mode: StreamMode;
  /** Whether the client can be notified of changes. */
  readonly hearsChanges: boolean;
  /** Whether the arguments of tools are repeated in headers. */
  readonly mirrorsArguments: boolean;
  /** Turns the response into a stream. */
  readonly openOutlet: () => Outlet;
  /** Sends a stream with only this message; returns false if the stream must be opened first. */
  readonly sendWhole: (text: string) => boolean;
  /** The session of the request, if there is one. */
  readonly session?: object | undefined;
  /** Sends a response in its turn, if it is pipelined behind another one. */
  readonly inTurn: (send: () => void) => void;
  /** Called when a response was ended, or is about to be, with a body of approximately this length. */
  readonly ended: (length: number) => void;
  /** Called with an error while sending; returns the message that replaces the answer. */
  readonly failed: (error: unknown) => string;
}

/** How an exchange ends. */
export interface Finish {
  /** The status of a response that is not a stream, whose status was sent as 200 before. 200 if left out. */
  readonly status?: number;
  /** Whether the answers belong to a batch and are written as an array, even a single one. False if left out. */
  readonly isBatch?: boolean;
}

/** The value that Fastify would create again for each response. */
const JSON_TYPE = 'application/json; charset=utf-8';

/** The exchange of one POST. */
export class HttpExchange implements Exchange {
  #outlet: Outlet | undefined;
  #headers: RequestHeaders | undefined;
  /** Whether sending has failed: nothing more is sent. */
  #isBroken = false;

  constructor(
    private readonly call: HttpCall,
    private readonly manners: AnswerManners,
  ) {}

  get headers(): RequestHeaders {
    return (this.#headers ??= visibleHeaders(this.call));
  }

  get address(): string {
    return readAddress(this.call.request.ip);
  }

  get caller(): Caller {
    return this.call.caller;
  }

  get hearsChanges(): boolean {
    return this.manners.hearsChanges;
  }

  get session(): object | undefined {
    return this.manners.session;
  }

  notify(text: string): void | Promise<void> {
    return this.#try(() => this.#stream().send(text));
  }

  /** Releases the connection. Opens the stream first if necessary, because only then can the client reconnect. */
  release(): void {
    this.#try(() => this.#stream().release?.());
  }

  /** Compares arguments with headers, if the revision mirrors them. Throws `header-mismatch`. */
  checkMirrored(mirrored: readonly MirroredArgument[], sent: unknown): void {
    if (!this.manners.mirrorsArguments) return;
    const names = mirrored.map(({ header }) => header);
    const mismatch = checkMirroredArguments(distinctHeaders(this.call.request.raw, names), mirrored, sent);
    if (mismatch) throw mismatch;
  }

  /**
   * Sends the answers, and nothing after them. Without answers, because the messages need none or because the
   * request was cancelled, the message is acknowledged: 202.
   */
  finish(answers: readonly Answer[], how: Finish = {}): void {
    this.#try(() => {
      this.#send(answers, how);
      this.manners.ended(answers.reduce((length, { text }) => length + text.length, 0));
    });
  }

  /**
   * Gives up an answer that cannot be made or sent: an error replaces it if no response has begun; else the connection ends.
   * Response hooks of the host app are skipped, because they may have caused the failure.
   */
  fail(error: unknown): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    answerBare(this.call.reply, this.manners.failed(error));
  }

  #send(answers: readonly Answer[], { status = 200, isBatch = false }: Finish): void {
    const [first] = answers;
    const isStream = this.manners.mode === 'always' && first && status === 200 && !isBatch;
    if (!this.#outlet && isStream && this.manners.sendWhole(first.text)) return;
    if (this.#outlet || isStream) {
      const outlet = this.#stream();
      for (const { text } of answers) unawaited(outlet.send(text));
      outlet.end();
    } else if (!first) void this.call.reply.code(202).send();
    else if (isBatch) this.#sendJson(`[${answers.map(({ text }) => text).join(',')}]`, status);
    else this.#sendJson(first.bytes?.() ?? first.text, status);
  }

  /** The code that sends need not handle failures of sending. */
  #try<T>(send: () => T): T | undefined {
    if (this.#isBroken) return undefined;
    try {
      return send();
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }

  #sendJson(body: string | Buffer, status: number): void {
    const { reply } = this.call;
    const send = (): void => void reply.code(status).header('content-type', JSON_TYPE).send(body);
    if (reply.raw.socket) send();
    else this.manners.inTurn(() => this.#try(send));
  }

  #stream(): Outlet {
    return (this.#outlet ??= this.manners.openOutlet());
  }
}
