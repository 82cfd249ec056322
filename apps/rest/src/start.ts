/** `npm start`: the issues over HTTP, with commands to try. Without `TRACKER_URL` they are those of a sample tracker. */
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
The issues are at ${url}. Press Ctrl+C to stop the server.
Each request that reaches the tracker is printed here: a retry after a 503, and what the cache saves. In another terminal:

  npx sigil inspect ${url}
  npx sigil call ${url} searchIssues text=leak
  npx sigil call ${url} getIssue number=3
  npx sigil call ${url} comment number=3 text="Fixed in 1.2."

`);
}
