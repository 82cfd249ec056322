// The shortest weather server over HTTP; an example of docs/http.md.
// #region quickstart
import { HttpTransport } from '@sigil-mcp/fastify';
import { server } from './server';

void server.listen(new HttpTransport({ port: Number(process.env['PORT'] ?? 3000) }));
// #endregion quickstart
