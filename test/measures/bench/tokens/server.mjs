/**
 * Endpoints that differ in one thing only, in one process: what is compiled and cached for one is so for the others.
 * `node server.mjs '<json: issuer, resource, tools>'`
 */
import Fastify from 'fastify';
import { createRequire } from 'node:module';
import { reportMemory } from '../http/report-memory.mjs';
import { bareAuth } from './bare-auth.mjs';
import { makeServer } from './servers.mjs';

const require = createRequire(import.meta.url);
const { mcpPlugin } = require('@sigil-mcp/fastify');
const { jwt } = require('@sigil-mcp/oauth');

const { issuer, resource, tools } = JSON.parse(process.argv[2] ?? '{}');
const auth = jwt({ issuer, resource });
const app = Fastify();
const endpoints = {
  '/open': { server: makeServer({ tools: 1 }) },
  '/closed': { server: makeServer({ tools: 1 }), auth },
  '/bare': { server: makeServer({ tools: 1 }), auth: await bareAuth(issuer, resource) },
  '/list': { server: makeServer({ tools }), auth },
  '/filtered-list': { server: makeServer({ tools, isFiltered: true }), auth },
};
for (const [path, options] of Object.entries(endpoints)) await app.register(mcpPlugin, { path, ...options });
await app.listen({ port: 0, host: '127.0.0.1' });
reportMemory(app.server.address().port);
