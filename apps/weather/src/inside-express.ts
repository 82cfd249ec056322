// The weather server inside an Express app; an example of docs/http.md.
// #region express
import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { createNodeHandler } from '@sigil-mcp/http/node';
import express from 'express';
import { server } from './server';

const app = express();
app.get('/', (_request, reply) => void reply.send('This app has other routes, too.'));
app.use(createNodeHandler(server, { path: '/mcp' }));
const http = app.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', () => {
  console.error(`http://127.0.0.1:${(http.address() as AddressInfo).port}`);
});
// #endregion express
