/** What HTTP costs, in interleaved rounds: calls a second, lists, streams, and the memory of sessions and calls. */
import { fileURLToPath } from 'node:url';
import { compileServer } from '../compile-server.mjs';
import { median } from '../median.mjs';
import { ServerProcess, load } from './server-process.mjs';
import { sigilSource } from './sigil-source.mjs';

const program = (name) => fileURLToPath(new URL(`./${name}`, import.meta.url));
const report = new URL('./report-memory.mjs', import.meta.url).href;
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Starts the servers once; each figure is taken in rounds over all of them. */
export async function measureHttp({ rounds, seconds }) {
  const servers = await startServers();
  try {
    const jobs = await jobsOf(servers);
    const rates = await playRounds(jobs, { rounds, seconds });
    return { rates, memory: await measureMemory(servers.sigil), manyMemory: await sessionMemory(servers.sigilMany) };
  } finally {
    await Promise.all(Object.values(servers).map((server) => server.stop()));
  }
}

async function startServers() {
  const [few, many] = [3, 1000].map((tools) => compileServer(`http-${tools}`, sigilSource(tools)));
  return {
    raw: await ServerProcess.start(program('raw-fastify.mjs')),
    sigil: await ServerProcess.start(few, [report]),
    sigilMany: await ServerProcess.start(many, [report]),
    sdk: await ServerProcess.start(program('official-sdk-2.mjs'), ['3']),
    sdkMany: await ServerProcess.start(program('official-sdk-2.mjs'), ['1000']),
  };
}

async function jobsOf({ raw, sigil, sigilMany, sdk, sdkMany }) {
  const session = { 'mcp-session-id': await openSession(sigil.port) };
  const manySession = { 'mcp-session-id': await openSession(sigilMany.port) };
  const alone = callAlone('forecast');
  const listBytes = await sizeOf(sigilMany.port, manySession);
  return [
    ...[1, 16, 64].flatMap((concurrency) => [
      { what: 'call', name: 'raw Fastify', server: raw, concurrency, ...callInSession('forecast', {}) },
      { what: 'call', name: 'Sigil, per request', server: sigil, concurrency, ...alone },
      { what: 'call', name: 'Sigil, session', server: sigil, concurrency, ...callInSession('forecast', session) },
      { what: 'call', name: 'Sigil, per request, 1000 tools', server: sigilMany, concurrency, ...alone },
      {
        what: 'call',
        name: 'Sigil, session, 1000 tools',
        server: sigilMany,
        concurrency,
        ...callInSession('forecast', manySession),
      },
      { what: 'call', name: 'official SDK 2, per request', server: sdk, concurrency, ...alone },
    ]),
    { what: 'call', name: 'official SDK 2, 1000 tools', server: sdkMany, concurrency: 16, ...alone },
    { what: 'stream', name: 'JSON', server: sigil, concurrency: 16, ...callInSession('forecast', session) },
    {
      what: 'stream',
      name: 'SSE, session',
      server: sigil,
      concurrency: 16,
      ...callInSession('progressing', session),
    },
    { what: 'stream', name: 'JSON, per request', server: sigil, concurrency: 16, ...alone },
    { what: 'stream', name: 'SSE, per request', server: sigil, concurrency: 16, ...callAlone('progressing') },
    {
      what: 'list',
      name: 'raw Fastify, same bytes',
      server: raw,
      concurrency: 16,
      path: `/bytes/${listBytes}`,
      headers: {},
      body: '{}',
    },
    { what: 'list', name: 'Sigil, 1000 tools', server: sigilMany, concurrency: 16, ...listInSession(manySession) },
  ];
}

async function playRounds(jobs, { rounds, seconds }) {
  const figures = jobs.map((job) => ({ ...job, rates: [], costs: [] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const { server, headers, body, concurrency, path = '/mcp', name, rates, costs } of figures) {
      const job = { port: server.port, headers, body, concurrency, path };
      // What was compiled for the calls before has aged since: each round begins warm.
      await load({ ...job, seconds: seconds / 2 });
      const before = await server.cpu();
      const { rate, failed, calls } = await load({ ...job, seconds });
      const after = await server.cpu();
      if (failed > 0) throw new Error(`${name}: ${failed} calls failed`);
      rates.push(rate);
      costs.push((after - before) / calls);
    }
  }
  return figures.map(({ what, name, concurrency, rates, costs }) => ({
    what,
    name,
    concurrency,
    rate: median(rates),
    cost: median(costs),
  }));
}

/** Bytes of heap per idle session, and of resident memory that 50,000 calls leave behind. */
async function measureMemory(server) {
  const session = await sessionMemory(server);
  const job = { port: server.port, path: '/mcp', concurrency: 16, seconds: 600, ...callAlone('forecast') };
  await load({ ...job, calls: 5000 });
  const before = await server.memory();
  await load({ ...job, calls: 50_000 });
  const after = await server.memory();
  return { ...session, calls: after.rss - before.rss };
}

async function sessionMemory(server) {
  const count = 4000;
  await openSessions(server.port, 200);
  const before = await server.memory();
  await openSessions(server.port, count);
  const after = await server.memory();
  return { session: (after.heapUsed - before.heapUsed) / count };
}

async function openSessions(port, count) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: INITIALIZE });
  await load({ port, path: '/mcp', headers: {}, body, concurrency: 8, seconds: 600, calls: count });
}

const INITIALIZE = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1.0.0' } };

async function openSession(port) {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: INITIALIZE });
  const response = await globalThis.fetch(`http://localhost:${port}/mcp`, { method: 'POST', headers, body });
  return response.headers.get('mcp-session-id');
}

async function sizeOf(port, session) {
  const { headers, body } = listInSession(session);
  const all = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers };
  const response = await globalThis.fetch(`http://localhost:${port}/mcp`, { method: 'POST', headers: all, body });
  return Buffer.byteLength(await response.text());
}

function callInSession(name, headers) {
  const params = { name, arguments: { city: 'Oslo', days: 3 }, _meta: { progressToken: 1 } };
  return { headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }) };
}

function callAlone(name) {
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name };
  const params = { name, arguments: { city: 'Oslo', days: 3 }, _meta: { ...META, progressToken: 1 } };
  return { headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }) };
}

function listInSession(headers) {
  return { headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }) };
}
