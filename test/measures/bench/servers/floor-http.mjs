/** The floor over HTTP: a Fastify route that parses the body and answers it. */
import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import { reportMemory } from '../http/report-memory.mjs';
import { bodyOf, contentTypeOf, floorAnswer } from './bare-body.mjs';
import { readOrder } from './order.mjs';

const { stream, conversation } = readOrder();
const contentType = contentTypeOf(stream);
const app = Fastify();
app.post('/mcp', (request, reply) => {
  const answer = floorAnswer(request.body);
  if (answer === undefined) return reply.code(202).send();
  if (conversation === 'session' && request.body.method === 'initialize') reply.header('mcp-session-id', randomUUID());
  return reply.header('content-type', contentType).send(bodyOf(answer, stream));
});
await app.listen({ port: 0, host: '127.0.0.1' });
reportMemory(app.server.address().port);
