/** Sends a response of the port as Fastify's reply. */
import { validateHeaderName, validateHeaderValue, type OutgoingHttpHeaders } from 'node:http';
import type { HttpResponse } from '@sigil-mcp/http';
import { answerBare, sendEvents, type Connections } from '@sigil-mcp/http/node-adapter';
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

const appHeaders = new AppHeaders();

/**
 * Sends a response: a whole one by Fastify, with the hooks of the app; an event stream past it, with the headers that plugins have set.
 * Errors while sending are told to the response, whose own error is sent instead if nothing has begun.
 */
export function sendResponse(reply: FastifyReply, response: HttpResponse, connections: Connections): void {
  const { body } = response;
  const { raw } = reply;
  if (typeof body === 'object' && 'open' in body) {
    let head: OutgoingHttpHeaders;
    try {
      head = headOf(reply, response.headers);
    } catch (error) {
      body.discard();
      return fail(reply, response, error);
    }
    reply.hijack();
    return sendEvents(raw, head, response, body);
  }
  if (raw.socket) sendWhole(reply, response, body);
  else connections.inTurn(raw, () => sendWhole(reply, response, body));
  // What waits for its turn takes memory as well, and so does what hooks of the app still process.
  if (body !== undefined) response.sent?.(raw.writableEnded ? raw.writableLength : body.length);
}

/**
 * Answers with 500 past the hooks of the app, which may have caused the failure; closes the connection if a response has begun.
 * @param text a JSON-RPC message
 */
export function answerPastHooks(reply: FastifyReply, text: string): void {
  if (reply.sent) return void reply.raw.destroy();
  reply.hijack();
  answerBare(reply.raw, text);
}

/** Sends the error of a response in its place. */
function fail(reply: FastifyReply, response: HttpResponse, error: unknown): void {
  if (!response.failed) throw error;
  answerPastHooks(reply, response.failed(error));
}

function sendWhole(reply: FastifyReply, response: HttpResponse, body?: string | Uint8Array): void {
  const { status, headers } = response;
  try {
    void reply.code(status);
    for (const name in headers) void reply.header(name, headers[name]);
    void reply.send(body);
  } catch (error) {
    fail(reply, response, error);
  }
}

/** The headers of a stream, and those that the app has set on the reply. Throws for invalid headers: nothing has happened then. */
function headOf(reply: FastifyReply, headers: HttpResponse['headers']): OutgoingHttpHeaders {
  const set = appHeaders.of(reply);
  if (!set) return headers;
  for (const [name, value] of Object.entries(set)) {
    validateHeaderName(name);
    validateHeaderValue(name, String(value));
  }
  return { ...set, ...headers };
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
