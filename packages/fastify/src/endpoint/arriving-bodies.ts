/**
 * Bodies on their way, read and counted as they come: a client is charged for the memory that its bytes take, not for what it
 * announces. One that announces much and sends little keeps nobody out.
 */
import type { IncomingMessage } from 'node:http';
import type { ClientLoad, HeldWeight } from '@sigil-mcp/core/adapter';
import { errorCodes, type FastifyReply } from 'fastify';
import type { ClientLoads } from '../exchange/client-loads';
import type { HttpCall } from '../exchange/http-exchange';
import { BodyBuffer } from './body-buffer';
import { collectBody, type BodyDone } from './collect-body';

/** Bytes up to which a body is not counted: its connection costs as much. */
const SMALL = 16 * 1024;

/** Is notified of each request when its head has arrived, and when it has been handled. */
export interface Arrivals {
  arrived(reply: FastifyReply): void;
  handled(reply: FastifyReply): void;
}

/** Reads bodies, and knows those that have not been dealt with yet. */
export class ArrivingBodies implements Arrivals {
  /** Of bodies that are large enough to be counted. */
  readonly #rooms = new Map<IncomingMessage, BodyRoom>();

  constructor(
    private readonly arrivals: Arrivals,
    private readonly loads: ClientLoads,
    private readonly limits: { readonly weight: HeldWeight; readonly bodyLimit: number },
  ) {}

  /** The head of a request has come, and perhaps a body comes behind it. */
  arrived(reply: FastifyReply): void {
    this.arrivals.arrived(reply);
  }

  /**
   * Reads a body. What is larger than the limit, or finds no room, is refused as soon as that is known: by its announced length before
   * a byte is read, else with the byte that is too much.
   * @param call who is charged for it
   * @param payload what hooks of the app made of the body
   */
  read({ request, caller }: Pick<HttpCall, 'request' | 'caller'>, payload: IncomingMessage, done: BodyDone): void {
    const { weight, bodyLimit } = this.limits;
    const announced = announcedBy(request.raw);
    const length = Number.isFinite(announced) ? announced : undefined;
    if (length !== undefined && length > bodyLimit) return done(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
    // What a hook of the app makes of a small body may be large.
    const isSmall = announced <= SMALL && payload === request.raw;
    const room = isSmall
      ? undefined
      : this.#open(request.raw, new BodyRoom(weight, this.loads.of({ request, caller })));
    try {
      if (length !== undefined) room?.check(length);
    } catch (error) {
      return done(error as Error);
    }
    const buffer = new BodyBuffer(length ?? bodyLimit, room && ((bytes) => room.grow(bytes)));
    collectBody(payload, { buffer, limit: bodyLimit, length }, done);
  }

  /** The body was taken or refused: a call holds what was read of it from now on, or nobody does. */
  handled(reply: FastifyReply): void {
    if (this.#rooms.size > 0) this.#rooms.get(reply.request.raw)?.close();
    this.arrivals.handled(reply);
  }

  #open(request: IncomingMessage, room: BodyRoom): BodyRoom {
    // Its client has left, it has timed out, or a hook of the app has answered. The response of a pipelined request is never closed where
    // its client leaves before its turn; the request is.
    if (request.destroyed) room.close();
    else {
      this.#rooms.set(request, room);
      request.once('close', () => {
        this.#rooms.delete(request);
        room.close();
      });
    }
    return room;
  }
}

/** The memory that one body takes: it grows with the body, and is given back once. */
class BodyRoom {
  #giveBack: () => void = () => undefined;
  #isClosed = false;

  constructor(
    private readonly weight: HeldWeight,
    private readonly load: ClientLoad,
  ) {}

  /** Throws `Denial` if there is no room now for so many bytes; takes no room. */
  check(bytes: number): void {
    this.weight.check(this.load, bytes);
  }

  /** The body takes so many bytes now. Throws `Denial` if there is no room for them; then the body has no room at all. */
  grow(bytes: number): void {
    if (bytes <= SMALL || this.#isClosed) return;
    // As a whole, and not by what is added: what is large must leave room to what is small.
    this.#giveBack();
    this.#giveBack = this.weight.take(this.load, bytes);
  }

  close(): void {
    this.#isClosed = true;
    this.#giveBack();
  }
}

/** Bytes of a body, as its head announces them; infinitely many if the head announces no length, which HTTP/2 does not need. */
function announcedBy({ headers, httpVersionMajor }: IncomingMessage): number {
  const length = headers['content-length'];
  if (length !== undefined) return Number(length);
  return headers['transfer-encoding'] !== undefined || httpVersionMajor > 1 ? Infinity : 0;
}
