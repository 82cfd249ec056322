// The weather inside an app that has routes of its own; docs/http.md shows it.
// #region plugin
import 'reflect-metadata';
import { mcpPlugin } from '@sigil-mcp/fastify';
import Fastify from 'fastify';
import { server } from './server';

const app = Fastify();
app.get('/', () => 'This app does other things, too.');
void app.register(mcpPlugin, { server, path: '/mcp' });
void app.listen({ port: Number(process.env['PORT'] ?? 3000), host: '127.0.0.1' }).then((url) => console.error(url));
// #endregion plugin
