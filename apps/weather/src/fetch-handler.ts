// The weather server as a fetch handler, on a platform that calls it: the HTTP server of Hono; an example of docs/http.md.
// #region fetch
import { serve } from '@hono/node-server';
import { createFetchHandler } from '@sigil-mcp/http/fetch';
import { server } from './server';

const fetch = createFetchHandler(server, { path: '/mcp', isLoopback: true });
serve({ fetch, port: Number(process.env['PORT'] ?? 3000), hostname: '127.0.0.1' }, ({ port }) =>
  console.error(`http://127.0.0.1:${port}/mcp`),
);
// #endregion fetch
