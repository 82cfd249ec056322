/** The server in a fetch handler, behind the HTTP server of Hono: `--fetch`. */
import { serve } from '@hono/node-server';
import { createFetchHandler } from '@sigil-mcp/http/fetch';
import { server } from './server';

/** Resolves when it listens. SIGTERM and SIGINT end it, which a platform would do otherwise. */
export async function serveFetch(): Promise<void> {
  const handle = createFetchHandler(server, { sse: true, isLoopback: true });
  await handle.ready;
  const port = Number(process.env['PORT'] ?? 3000);
  const http = serve({ fetch: handle, port, hostname: process.env['HOST'] ?? '127.0.0.1' }, (bound) =>
    process.stderr.write(`${JSON.stringify({ message: 'Listening', url: `http://127.0.0.1:${bound.port}/mcp` })}\n`),
  );
  const stop = (): void => {
    http.close();
    void handle.close().then(() => process.exit(0));
  };
  process.once('SIGTERM', stop).once('SIGINT', stop);
}
