// The weather server inside an app with other routes; an example of docs/http.md.
// #region plugin
import { mcpPlugin } from '@sigil-mcp/fastify';
import Fastify from 'fastify';
import { server } from './server';

const app = Fastify();
app.get('/', () => 'This app has other routes, too.');
void app.register(mcpPlugin, { server, path: '/mcp' });
void app.listen({ port: Number(process.env['PORT'] ?? 3000), host: '127.0.0.1' }).then((url) => console.error(url));
// #endregion plugin
