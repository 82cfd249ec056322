/** The server written by hand over HTTP: a Fastify route that checks hosts, headers and sessions. */
import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import { reportMemory } from '../http/report-memory.mjs';
import { bodyOf, contentTypeOf } from './bare-body.mjs';
import { handWritten, isAlone } from './hand-written.mjs';
import { readOrder } from './order.mjs';

const REVISIONS = new Set(['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']);
const HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);
const { tools, stream, conversation } = readOrder();
const contentType = contentTypeOf(stream);
const answerTo = handWritten(tools);
const sessions = new Map();

const app = Fastify();
app.post('/mcp', async (request, reply) => {
  const { headers, body: message } = request;
  const wrong = wrongHeaders(headers) ?? (isAlone(message) ? wrongNames(headers, message) : undefined);
  if (wrong !== undefined) return refuse(reply, wrong, message?.id);
  let session;
  if (conversation === 'session') {
    session = message.method === 'initialize' ? openSession(reply) : sessions.get(headers['mcp-session-id']);
    if (session === undefined) return refuse(reply, [404, 'Session not found']);
    if (message.id !== undefined) session.inFlight.set(message.id, true);
  }
  const answer = await answerTo(message);
  session?.inFlight.delete(message.id);
  if (answer === undefined) return reply.code(202).send();
  return reply.header('content-type', contentType).send(bodyOf(answer, stream));
});
await app.listen({ port: 0, host: '127.0.0.1' });
reportMemory(app.server.address().port);

function wrongHeaders({ host = '', origin, accept = '', 'mcp-protocol-version': revision }) {
  if (!HOSTS.has(host.slice(0, host.lastIndexOf(':')))) return [403, 'Bad Host'];
  if (origin !== undefined && !HOSTS.has(new URL(origin).hostname)) return [403, 'Bad Origin'];
  if (!accept.includes('application/json') || !accept.includes('text/event-stream')) return [406, 'Not Acceptable'];
  return revision !== undefined && !REVISIONS.has(revision) ? [400, 'Bad version'] : undefined;
}

function wrongNames(headers, { method, params }) {
  const isSame =
    headers['mcp-protocol-version'] === '2026-07-28' &&
    headers['mcp-method'] === method &&
    (method !== 'tools/call' || headers['mcp-name'] === params.name);
  return isSame ? undefined : [400, 'Header mismatch'];
}

function openSession(reply) {
  const session = { id: randomUUID(), openedAt: Date.now(), inFlight: new Map() };
  sessions.set(session.id, session);
  reply.header('mcp-session-id', session.id);
  return session;
}

function refuse(reply, [status, message], id = null) {
  return reply.code(status).send({ jsonrpc: '2.0', id, error: { code: -32000, message } });
}
