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
import { refuse, wrongHeaders } from './headers.mjs';
import { Sessions } from './sessions.mjs';
import { toolsOf } from './tools.mjs';

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
