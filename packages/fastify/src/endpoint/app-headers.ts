/** The headers that the app and its plugins have set on a reply. */
import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';

/** What Fastify calls the place where a reply has its headers. */
const PLACE = 'fastify.reply.headers';
/** A header that is set for a moment, to see whether it is found there; no app has one with this name. */
const TRIAL = 'x-sigil-place-of-headers';

/** Reads them without the copies that `getHeaders` makes: they take a tenth of a call, also for a reply without headers. */
export class AppHeaders {
  /** Undefined before the first reply; null if this version of Fastify has them somewhere else. */
  #place: symbol | null | undefined;

  /** The headers of a reply, by their names; undefined without any. */
  of(reply: FastifyReply): OutgoingHttpHeaders | undefined {
    if (this.#place === undefined) this.#place = placeOf(reply) ?? null;
    if (this.#place !== null && isEmpty(reply, this.#place)) return undefined;
    const set = Object.entries(reply.getHeaders()).filter(([, value]) => value !== undefined);
    return set.length === 0 ? undefined : Object.fromEntries(set);
  }
}

/** Whether a reply has no headers. False if that is not known: another copy of Fastify has another place. */
function isEmpty(reply: FastifyReply, place: symbol): boolean {
  const own = headersAt(reply, place);
  return own !== undefined && Object.keys(own).length === 0 && reply.raw.getHeaderNames().length === 0;
}

function placeOf(reply: FastifyReply): symbol | undefined {
  const place = Object.getOwnPropertySymbols(reply).find(({ description }) => description === PLACE);
  if (place === undefined) return undefined;
  void reply.header(TRIAL, 'yes');
  const isThere = Object.keys(headersAt(reply, place) ?? {}).includes(TRIAL);
  void reply.removeHeader(TRIAL);
  return isThere ? place : undefined;
}

function headersAt(reply: FastifyReply, place: symbol): object | undefined {
  return (reply as unknown as Record<symbol, object | undefined>)[place];
}
