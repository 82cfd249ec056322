/** `npm start`: the charts over HTTP, with commands to try. */
import '@sigil-mcp/core/stdio/guard';
import { HttpTransport } from '@sigil-mcp/fastify';
import { server } from './server';

start().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});

async function start(): Promise<void> {
  const transport = new HttpTransport();
  await server.listen(transport);
  const url = transport.url ?? '';
  process.stderr.write(`
The charts are at ${url}. Press Ctrl+C to stop the server.
Connect a host that shows views, and ask it for the climate of Oslo. In another terminal, without a view:

  npx sigil call ${url} climate city=Oslo

`);
}
