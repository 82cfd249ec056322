/** Bodies that are on their way, counted among what clients make the server hold: a body that never ends is held until its time is over. */
import { ANONYMOUS, type HeldWeight } from '@sigil-mcp/core/adapter';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { ClientLoads } from '../exchange/client-loads';

/** Bytes up to which a body is not counted: its connection costs as much. */
const SMALL = 16 * 1024;

/** Who hears of each request that has come, and that it is dealt with. */
export interface Arrivals {
  arrived(reply: FastifyReply): void;
  handled(reply: FastifyReply): void;
}

/** Knows the bodies that have been announced and not been taken yet. */
export class ArrivingBodies implements Arrivals {
  readonly #held = new WeakMap<ServerResponse, () => void>();

  constructor(
    private readonly arrivals: Arrivals,
    private readonly loads: ClientLoads,
    private readonly limits: { readonly weight: HeldWeight; readonly bodyLimit: number },
  ) {}

  /**
   * The head of a request has come, and perhaps a body comes behind it. Counted by address: who calls is not known yet.
   * @throws Denial where there is no room for it; not a byte of it was read then
   */
  arrived(reply: FastifyReply): void {
    this.arrivals.arrived(reply);
    const { raw: response, request } = reply;
    const { weight, bodyLimit } = this.limits;
    const bytes = Math.min(announced(request.raw.headers), bodyLimit);
    if (bytes <= SMALL) return;
    const giveBack = weight.take(this.loads.of({ caller: ANONYMOUS, request }), bytes);
    this.#held.set(response, giveBack);
    response.once('close', giveBack);
  }

  /** The body was taken or refused: a call holds what was read of it from now on, or nobody does. */
  handled(reply: FastifyReply): void {
    this.#held.get(reply.raw)?.();
    this.arrivals.handled(reply);
  }
}

/** Bytes of a body, as its head says; without a word about its length it may have any. */
function announced(headers: IncomingHttpHeaders): number {
  if (headers['transfer-encoding'] !== undefined) return Infinity;
  return Number(headers['content-length'] ?? 0);
}
