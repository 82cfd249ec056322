import '@sigil-mcp/core/stdio/guard';
import type { Transport } from '@sigil-mcp/core';
import { StdioTransport } from '@sigil-mcp/core/stdio';
import { openShared } from './open-shared';
import { everything, server } from './server';

serve().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});

/** With `REDIS_URL` it is one of several instances, which serve the same clients over HTTP. */
async function serve(): Promise<void> {
  if (process.argv.includes('--fetch')) return (await import('./serve-fetch.js')).serveFetch();
  const url = process.env['REDIS_URL'];
  const transport = await chooseTransport();
  if (!url || !process.argv.includes('--http')) return server.listen(transport);
  await everything(await openShared(url)).listen(transport);
}

async function chooseTransport(): Promise<Transport> {
  if (!process.argv.includes('--http')) return new StdioTransport();
  // Loaded only here, so that a server over stdio does not wait for Fastify.
  const { HttpTransport } = await import('@sigil-mcp/fastify');
  return new HttpTransport({ sse: true });
}
