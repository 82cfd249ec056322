import '@sigil-mcp/core/stdio/guard';
import type { Transport } from '@sigil-mcp/core';
import { StdioTransport } from '@sigil-mcp/core/stdio';
import { server } from './server';

chooseTransport()
  .then((transport) => server.listen(transport))
  .catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  });

async function chooseTransport(): Promise<Transport> {
  if (!process.argv.includes('--http')) return new StdioTransport();
  // Loaded only here, so that a server over stdio does not wait for Fastify.
  const { HttpTransport } = await import('@sigil-mcp/fastify');
  return new HttpTransport();
}
