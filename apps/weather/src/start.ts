/** `npm start`: the weather server over HTTP, with instructions for clients. */
import '@sigil-mcp/core/stdio/guard';
import { HttpTransport } from '@sigil-mcp/fastify';
import { howToConnect } from './how-to-connect';
import { server } from './server';

start().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});

async function start(): Promise<void> {
  const transport = new HttpTransport();
  await server.listen(transport);
  process.stderr.write(howToConnect(transport.url ?? ''));
}
