/** `npm start`: the library over HTTP, with commands to try. `LIBRARY_DB` names a file; without it, changes end with the process. */
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
The library is at ${url}, with five books. Press Ctrl+C to stop the server. In another terminal:

  npx sigil inspect ${url}
  npx sigil call ${url} search tags='["sea"]'
  npx sigil call ${url} getBook id=1
  npx sigil read ${url} library://authors/Jane%20Austen
  npx sigil call ${url} deleteBook id=3

`);
}
