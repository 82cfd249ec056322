/** A server that tells everything it can: what it logs goes to stderr to the last member, and its memory into a file on request. */
import { createServer, resource, tool } from '@sigil-mcp/core';
import { HttpTransport } from '@sigil-mcp/fastify';
import { jwt } from '@sigil-mcp/oauth';
import { inspect } from 'node:util';
import { writeHeapSnapshot } from 'node:v8';

const tell = (level) => (fields, message) =>
  console.error(level, message, inspect(fields, { depth: 10, showHidden: true }));
const logger = Object.fromEntries(['debug', 'info', 'warn', 'error'].map((level) => [level, tell(level)]));

const features = [
  tool('count', { description: 'Tells what it knows' }, async (_input, context) => {
    context.log.info('called', { caller: context.caller, headers: context.headers });
    await context.progress(1, 1);
    return (
      inspect(context, { depth: 6, showHidden: true }) +
      JSON.stringify(context.headers) +
      JSON.stringify(context.caller)
    );
  }),
  tool('fail', { description: 'Fails' }, (_input, context) => {
    throw new Error('failed', { cause: context.caller });
  }),
  tool('ask', { description: 'Asks' }, async (_input, context) => {
    const shape = { type: 'object', properties: { ok: { type: 'boolean' } } };
    return JSON.stringify(await context.elicit(shape, 'Is it?'));
  }),
  resource('notes://all', { name: 'all', description: 'All notes' }, (_input, { caller }) => JSON.stringify(caller)),
];

const auth = jwt({
  issuer: process.env.ISSUER,
  resource: 'https://mcp.example.com/mcp',
  logger,
  caller: (claims) => {
    if (claims.explode) throw new Error('exploded', { cause: claims });
    return {};
  },
});
const server = createServer({ name: 'marked', version: '1.0.0', features, logger });
const transport = new HttpTransport({ port: 0, host: '127.0.0.1', handleSignals: false, sse: true, auth });
await server.listen(transport);
process.send({ url: transport.url });
process.on('message', ({ heap }) => {
  writeHeapSnapshot(heap);
  process.send({ done: true });
});
process.on('disconnect', () => process.exit());
