/** Work that outlives its request: its limits, its time, its owner and its end. */
import { createServer } from '@sigil-mcp/core';
import { ManualClock, connect } from '@sigil-mcp/testing';
import { JOBS, jobs } from './jobs/jobs';
import { Workshop, waiting, workshop } from './jobs/workshop';
import { serve, useAdapter } from '../http/http-server';
import { META_KEYS } from '@sigil-mcp/protocol';

const capabilities = { extensions: { [JOBS]: {} } };
const build = (name: string) => ({ name: 'build', arguments: { name } });

async function reached(name: string) {
  while (!waiting.has(name)) await new Promise(setImmediate);
  return waiting.get(name)!;
}

const nameOf = (job: unknown): string => JSON.stringify(job).slice(1, -1);

afterEach(() => waiting.clear());

it('is counted against the limits of its client until it has ended', async () => {
  const server = workshop({ limits: { callsPerClient: 1 } });
  const client = await connect(server, { capabilities });
  const { job } = await client.request('tools/call', build('a bed'));
  const { finish } = await reached('a bed');
  await expect(client.request('tools/call', build('a chair'))).rejects.toThrow('limits.callsPerClient');
  finish();
  for (let isDone = false; !isDone;) {
    const answer = client.request('jobs/get', { job: nameOf(job) }).catch(() => ({ status: 'refused' }));
    isDone = (await answer)['status'] === 'done';
  }
  expect(await client.request('tools/call', build('quick'))).toMatchObject({ resultType: 'job' });
  await server.close();
});

it('runs on when its request is cancelled late, and when its client has left', async () => {
  const server = workshop();
  const client = await connect(server, { capabilities, revision: '2025-11-25' });
  const { id, result } = client.start('jobs/start', { tool: 'build', arguments: { name: 'a shelf' } });
  await result;
  client.notify('notifications/cancelled', { requestId: id });
  const { signal, finish } = await reached('a shelf');
  await client.close();
  expect(signal.aborted).toBe(false);
  finish();
  await server.close();
});

it('ends when its own time is over', async () => {
  const clock = new ManualClock();
  const server = workshop({ clock });
  const client = await connect(server, { capabilities });
  const { job } = await client.request('tools/call', build('a bench'));
  const { signal } = await reached('a bench');
  await clock.advance(60_001);
  expect(signal.reason).toMatchObject({ code: 'SIGIL_DETACHED_LATE' });
  expect(await client.request('jobs/get', { job: nameOf(job) })).toMatchObject({
    status: 'failed',
    text: 'The work took longer than 60000 ms.',
  });
  await server.close();
});

it('ends when the code that owns it cancels it, under the name in its header', async () => {
  useAdapter('fastify');
  const open = await serve({ features: [Workshop], extensions: [jobs()] });
  const headers = (method: string, name?: string) => ({
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': method,
    ...(name !== undefined && { 'Mcp-Name': name }),
  });
  const request = (method: string, params: object) => ({
    jsonrpc: '2.0',
    id: 1,
    method,
    params: {
      ...params,
      _meta: { [META_KEYS.protocolVersion]: '2026-07-28', [META_KEYS.clientCapabilities]: capabilities },
    },
  });
  const started = await open.post(request('tools/call', build('a door')), headers('tools/call', 'build'));
  const job = String(started.messages[0]?.result?.['job']);
  const { signal } = await reached('a door');
  const other = await open.post(request('jobs/cancel', { job }), headers('jobs/cancel', 'other'));
  expect(other).toMatchObject({ status: 400, messages: [{ error: { code: -32020 } }] });
  expect(signal.aborted).toBe(false);
  const cancelled = await open.post(request('jobs/cancel', { job }), headers('jobs/cancel', job));
  expect(cancelled).toMatchObject({ status: 200, messages: [{ result: { resultType: 'complete' } }] });
  expect(signal.aborted).toBe(true);
  await open.close();
});

it('ends with the server, after the time that calls have to finish', async () => {
  const server = workshop({ shutdownDeadline: 10 });
  const client = await connect(server, { capabilities });
  await client.request('tools/call', build('a house'));
  const { signal } = await reached('a house');
  await server.close();
  expect(signal.reason).toMatchObject({ code: 'SIGIL_SHUTTING_DOWN' });
});

it('belongs to the principal that detached it or, without one, to its connection', async () => {
  const server = workshop();
  const [ada, again, bob] = await Promise.all([
    connect(server, { capabilities, as: { id: 'ada' } }),
    connect(server, { capabilities, as: { id: 'ada' } }),
    connect(server, { capabilities, as: { id: 'bob' } }),
  ]);
  const { job } = await ada.request('tools/call', build('quick'));
  expect(await again.request('jobs/get', { job: nameOf(job) })).toMatchObject({ job });
  await expect(bob.request('jobs/get', { job: nameOf(job) })).rejects.toMatchObject({ code: -32602 });
  const [one, other] = await Promise.all([connect(server, { capabilities }), connect(server, { capabilities })]);
  const own = await one.request('tools/call', build('quick'));
  expect(await one.request('jobs/get', { job: nameOf(own['job']) })).toMatchObject({ job: own['job'] });
  await expect(other.request('jobs/get', { job: nameOf(own['job']) })).rejects.toMatchObject({ code: -32602 });
  await server.close();
});

it('starts and stops the extension with the server, and hears the clients that declared it', async () => {
  const seen: string[] = [];
  const server = createServer({
    name: 'seen',
    version: '1.0.0',
    features: [Workshop],
    extensions: [jobs(seen)],
    logger: false,
    interceptors: [{ intercept: (call, next) => (seen.push(call.method), next()) }],
  });
  const client = await connect(server, { capabilities, revision: '2025-11-25' });
  const plain = await connect(server, { revision: '2025-11-25' });
  plain.notify('notifications/jobs/seen', { job: 'nothing' });
  client.notify('notifications/jobs/seen', { job: 7 });
  client.notify('notifications/jobs/seen', { job: '7' });
  await client.request('jobs/tools');
  await server.close();
  expect(seen.filter((one) => one !== 'initialize')).toEqual(['started', '7', 'jobs/tools', 'stopped']);
});
