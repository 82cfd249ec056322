// #region main
import 'reflect-metadata';
import { HttpTransport } from '@sigil-mcp/fastify';
import { apiKeys } from './api-keys';
import { server } from './server';

void server.listen(new HttpTransport({ auth: apiKeys(process.env) }));
// #endregion main
