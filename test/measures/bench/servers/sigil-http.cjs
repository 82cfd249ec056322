/** Sigil over HTTP. */
const { HttpTransport } = require('@sigil-mcp/fastify');
const { createBenchServer } = require('./sigil.cjs');

const order = JSON.parse(process.argv[2] ?? '{}');
const transport = new HttpTransport({
  port: 0,
  host: '127.0.0.1',
  limits: { sessions: 100_000 },
  stream: order.stream ? 'always' : 'auto',
});
void createBenchServer(order)
  .listen(transport)
  .then(async () => {
    const { reportMemory } = await import('../http/report-memory.mjs');
    reportMemory(Number(new URL(transport.url).port));
  });
