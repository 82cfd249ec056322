/** What a handler throws where nobody catches it, and a terminal that is closed: the server ends in order, and says why. */
import { join } from 'node:path';
import { SpawnedServer } from '../../support/spawned-server';

const FIXTURE = join(__dirname, 'fixtures', 'uncaught.cjs');
const MANNERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

const callOf = (name: string, id = 1): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: {} },
});

/** Calls a tool and lets its answer be, if it has one; hangs up where the tool waits for that. */
async function callOverHttp(server: SpawnedServer, way: string): Promise<void> {
  await server.hears('"url"');
  const url = /"url":"([^"]+)"/.exec(server.stderr)?.[1] ?? '';
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const headers = { ...MANNERS, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': way };
  const body = JSON.stringify({ ...callOf(way), params: { name: way, arguments: {}, _meta: meta } });
  const hangUp = new AbortController();
  const sent = fetch(url, { method: 'POST', headers, body, signal: hangUp.signal });
  await server.hears(`${way} has begun`);
  if (way === 'abort') hangUp.abort();
  await sent.catch(() => undefined);
}

describe('what nobody catches is logged, the server is stopped in order, and the process ends with 1', () => {
  it.each(['timer', 'stream', 'abort'])('over stdio: %s', async (way) => {
    const server = new SpawnedServer(FIXTURE);
    await server.initialize();
    const id = server.start('tools/call', { name: way, arguments: {} });
    if (way === 'abort') server.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
    expect(await server.exit).toEqual({ code: 1, signal: null });
    expect(server.stderr).toMatch(/Nobody caught this[^]*the store was stopped/);
    expect(server.stderr).toContain('thrown by a');
  });

  it.each(['timer', 'stream', 'abort'])('over HTTP: %s', async (way) => {
    const server = new SpawnedServer(FIXTURE, ['http']);
    await callOverHttp(server, way);
    expect(await server.exit).toEqual({ code: 1, signal: null });
    expect(server.stderr).toMatch(/Nobody caught this[^]*the store was stopped/);
  });
});

it.each(['SIGHUP', 'SIGTERM'] as const)('%s stops the server in order, and the process ends with 0', async (signal) => {
  for (const args of [[], ['http']]) {
    const server = new SpawnedServer(FIXTURE, args);
    if (args.length > 0) await server.hears('"url"');
    else await server.initialize();
    server.process.kill(signal);
    expect(await server.exit).toEqual({ code: 0, signal: null });
    expect(server.stderr).toContain('the store was stopped');
  }
});

describe('what nobody catches while hooks stop what they own', () => {
  it('is logged, and the hooks go on, after an exception before it', async () => {
    const server = new SpawnedServer(FIXTURE, ['http', 'throws']);
    await callOverHttp(server, 'timer');
    expect(await server.exit).toEqual({ code: 1, signal: null });
    expect(server.stderr).toMatch(/thrown by a timer[^]*thrown by a hook[^]*the store was stopped/);
    expect(server.stderr.match(/Nobody caught this/g)).toHaveLength(2);
  });

  it('is logged, and the hooks go on, after a signal', async () => {
    const server = new SpawnedServer(FIXTURE, ['http', 'throws']);
    await server.hears('"url"');
    server.process.kill('SIGTERM');
    expect(await server.exit).toEqual({ code: 1, signal: null });
    expect(server.stderr).toMatch(/Nobody caught this[^]*the store was stopped/);
  });

  it('is logged, and the hooks go on, where the program closes its server; then the process ends', async () => {
    const server = new SpawnedServer(FIXTURE, ['http', 'throws']);
    await callOverHttp(server, 'close');
    expect(await server.exit).toEqual({ code: 1, signal: null });
    expect(server.stderr).toMatch(/Nobody caught this[^]*the store was stopped/);
  });

  it.each(['hangs', 'works'])(
    'ends the process in time with 1, though a hook never ends (%s)',
    async (hook) => {
      const server = new SpawnedServer(FIXTURE, ['http', hook]);
      await server.hears('"url"');
      server.process.kill('SIGTERM');
      expect(await server.exit).toEqual({ code: 1, signal: null });
      expect(server.stderr).toContain('Nobody caught this');
    },
    20_000,
  );

  it('does not keep a process that a signal ends: it exits with 1, and says that a hook has not ended', async () => {
    const server = new SpawnedServer(FIXTURE, ['http', 'waits']);
    await server.hears('"url"');
    server.process.kill('SIGTERM');
    expect(await server.exit).toEqual({ code: 1, signal: null });
    expect(server.stderr).toContain('A hook onStop has not ended in time');
  }, 20_000);
});
