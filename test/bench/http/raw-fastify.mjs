/** The floor: a Fastify route that parses the body and answers what is fixed, or writes a given number of bytes. */
import Fastify from 'fastify';
import { reportMemory } from './report-memory.mjs';

const app = Fastify();
const data = { summary: 'mild in Oslo', highs: [11, 12, 13] };
const result = { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data, isError: false };
app.post('/mcp', (request, reply) => {
  void reply
    .header('content-type', 'application/json')
    .send(JSON.stringify({ jsonrpc: '2.0', id: request.body.id, result }));
});
const texts = new Map();
app.post('/bytes/:count', (request, reply) => {
  const { count } = request.params;
  if (!texts.has(count)) texts.set(count, JSON.stringify({ text: 'x'.repeat(Number(count) - 11) }));
  void reply.header('content-type', 'application/json').send(texts.get(count));
});
await app.listen({ port: 0, host: '127.0.0.1' });
reportMemory(app.server.address().port);
