/**
 * The same three tools written by hand on Fastify, with the clients of the Sigil entry: what a server has to check for each request, and
 * nothing else. It shows how little a server of this kind can cost.
 */
import Fastify from 'fastify';
import { Catalog } from '../sigil/dist/clients/catalog.js';
import { FetchClient } from '../sigil/dist/clients/fetch-client.js';
import { PoolClient } from '../sigil/dist/clients/pool-client.js';
import { ShopData } from '../sigil/dist/clients/shop-data.js';
import { McpAnswers } from './mcp-answers.mjs';
import { toolsOf } from './tools.mjs';
import { randomUUID } from 'node:crypto';

const IDLE_TIME = 30 * 60_000;

const MAX_SESSIONS = 10_000;

class Session {
  id = randomUUID();
  usedAt = Date.now();
  #inFlight = new Set();

  /** @param id of a request; undefined for a notification */
  begin(id) {
    this.usedAt = Date.now();
    if (id !== undefined) this.#inFlight.add(id);
  }

  end(id) {
    this.#inFlight.delete(id);
  }

  get isBusy() {
    return this.#inFlight.size > 0;
  }
}

class Sessions {
  #byId = new Map();

  constructor() {
    globalThis.setInterval(() => this.#closeIdle(), 60_000).unref();
  }

  /** @returns a new session for the request that opens one, and otherwise that of the id, if there is one */
  find(id, isOpening) {
    return isOpening ? this.#open() : this.#byId.get(id);
  }

  /** @returns whether there was one */
  close(id) {
    return this.#byId.delete(id);
  }

  #open() {
    if (this.#byId.size >= MAX_SESSIONS) this.close(this.#byId.keys().next().value);
    const session = new Session();
    this.#byId.set(session.id, session);
    return session;
  }

  #closeIdle() {
    const before = Date.now() - IDLE_TIME;
    for (const [id, session] of this.#byId) if (!session.isBusy && session.usedAt < before) this.#byId.delete(id);
  }
}

/** The checks of headers that the specification wants of a server on this machine. */

const REVISIONS = new Set(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']);

const HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

const { API_SERVICE_URL: api, REDIS_URL, API_CLIENT, REDIS_PIPELINING, SESSIONS = 'on', PORT } = process.env;
const catalog = new Catalog(API_CLIENT === 'fetch' ? new FetchClient(api) : new PoolClient(api));
const data = new ShopData(REDIS_URL, REDIS_PIPELINING !== 'off');
const answers = new McpAnswers(toolsOf(catalog, data, process.env.SERVER_TYPE ?? 'hand-written'));
const sessions = SESSIONS === 'on' ? new Sessions() : undefined;

const app = Fastify();
app.post('/mcp', async (request, reply) => {
  const { headers, body: message } = request;
  const wrong = wrongHeaders(headers);
  if (wrong !== undefined) return refuse(reply, wrong, message?.id);
  const isOpening = message?.method === 'initialize';
  const session = sessions?.find(headers['mcp-session-id'], isOpening);
  if (sessions && !session) return refuse(reply, [404, 'Session not found'], message?.id);
  session?.begin(message.id);
  const answer = await answers.to(message);
  session?.end(message.id);
  if (answer === undefined) return reply.code(202).send();
  if (session && isOpening) {
    if (answer.error === undefined) reply.header('mcp-session-id', session.id);
    else sessions.close(session.id);
  }
  return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(answer));
});
app.delete('/mcp', async (request, reply) => {
  const wrong = wrongHeaders({ ...request.headers, accept: 'application/json, text/event-stream' });
  if (wrong !== undefined) return refuse(reply, wrong);
  if (!sessions) return refuse(reply, [405, 'There are no sessions']);
  if (!sessions.close(request.headers['mcp-session-id'])) return refuse(reply, [404, 'Session not found']);
  return reply.code(200).send();
});
app.get('/health', () => ({ status: 'ok', server_type: 'hand-written' }));
await app.listen({ port: Number(PORT), host: '127.0.0.1' });

/** @returns the status and the words of a refusal, or undefined */
function wrongHeaders({ host = '', origin, accept = '', 'mcp-protocol-version': revision }) {
  const colon = host.lastIndexOf(':');
  if (!HOSTS.has(colon < 0 ? host : host.slice(0, colon))) return [421, 'Bad Host'];
  if (origin !== undefined && !isOwn(origin)) return [403, 'Bad Origin'];
  if (!accept.includes('application/json') || !accept.includes('text/event-stream')) return [406, 'Not Acceptable'];
  return revision !== undefined && !REVISIONS.has(revision) ? [400, 'Bad version'] : undefined;
}

function isOwn(origin) {
  return URL.canParse(origin) && HOSTS.has(new URL(origin).hostname);
}

function refuse(reply, [status, message], id = null) {
  return reply.code(status).send({ jsonrpc: '2.0', id, error: { code: -32000, message } });
}
