/**
 * One POST and what goes back: JSON, unless something has to be said before the answer. Then, or where streams are wanted
 * always, the response becomes an event stream; its status was decided before.
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
  /** Of the kind `anonymous` where nobody was authenticated. */
  readonly caller: Caller;
}

/** What handlers may see of the headers: not the token that let the caller in, which is for nobody else. */
export function visibleHeaders({ request, caller }: Pick<HttpCall, 'request' | 'caller'>): RequestHeaders {
  if (caller === ANONYMOUS) return request.headers;
  const { authorization: _token, ...visible } = request.headers;
  return visible;
}

/** How the answer of a POST may go out. */
export interface AnswerManners {
  /** `always`: also an answer without anything before it goes out as a stream. */
  readonly mode: StreamMode;
  /** Whether the client can be told of changes. */
  readonly hearsChanges: boolean;
  /** Whether the arguments of tools are repeated in headers. */
  readonly mirrorsArguments: boolean;
  /** Turns the response into a stream. */
  readonly openOutlet: () => Outlet;
  /** Sends a stream that says this at once and nothing else; returns false where it must be opened for that. */
  readonly sendWhole: (text: string) => boolean;
  /** The session that the request belongs to; undefined where there is none. */
  readonly session?: object | undefined;
  /** Sends what is pipelined behind another response, when its turn comes. */
  readonly inTurn: (send: () => void) => void;
  /** Hears of a response that was ended, or is about to be, with a body of about this length. */
  readonly ended: (length: number) => void;
  /** Hears of what was thrown while something was sent, and gives the message that stands for the answer. */
  readonly failed: (error: unknown) => string;
}

/** How an exchange ends. */
export interface Finish {
  /** Status of a response that is no stream; one that is has said 200 long ago. 200 if left out. */
  readonly status?: number;
  /** Whether the answers are those of a batch: an array, also of one. False if left out. */
  readonly isBatch?: boolean;
}

/** As Fastify would complete it, which makes a new text of it each time. */
const JSON_TYPE = 'application/json; charset=utf-8';

/** The exchange of one POST. */
export class HttpExchange implements Exchange {
  #outlet: Outlet | undefined;
  #headers: RequestHeaders | undefined;
  /** Whether something could not be sent: nothing more is. */
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

  /** Lets the connection go. Opens the stream for that, where it is not open yet: only then can the client come back. */
  release(): void {
    this.#try(() => this.#stream().release?.());
  }

  /** Compares arguments with headers, where the revision repeats them there. Throws `header-mismatch`. */
  checkMirrored(mirrored: readonly MirroredArgument[], sent: unknown): void {
    if (!this.manners.mirrorsArguments) return;
    const names = mirrored.map(({ header }) => header);
    const mismatch = checkMirroredArguments(distinctHeaders(this.call.request.raw, names), mirrored, sent);
    if (mismatch) throw mismatch;
  }

  /**
   * Sends the answers, and that is all. Where there are none, because nothing that was sent wants an answer or because the
   * request was cancelled, the message is acknowledged: 202.
   */
  finish(answers: readonly Answer[], how: Finish = {}): void {
    this.#try(() => {
      this.#send(answers, how);
      this.manners.ended(answers.reduce((length, { text }) => length + text.length, 0));
    });
  }

  /**
   * Gives up on an answer that cannot be made or sent: another in its place, where none has begun; else the connection ends.
   * What plugins of the host do with responses is left out, for it may be what failed.
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

  /** Whoever sends is not who has to know what to do when that fails. */
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
