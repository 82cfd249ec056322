/** Servers of the official SDKs: the client finds the revision and the transport that they have. */
import { connect, RpcError, type Client, type ClientOptions } from '@sigil-mcp/client';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const PROGRAM = join(__dirname, 'fixtures', 'official-server.mjs');
const NEWEST = '2026-07-28';
const LAST_HANDSHAKE = '2025-11-25';

const running: ChildProcess[] = [];
const clients: Client[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  for (const child of running.splice(0)) child.kill();
});

async function open(kind: string, options: ClientOptions = {}): Promise<Client> {
  const target = kind.endsWith('stdio')
    ? { command: process.execPath, args: [PROGRAM, kind] }
    : { url: `http://127.0.0.1:${await start(kind)}/mcp` };
  const client = await connect(target, options);
  clients.push(client);
  return client;
}

async function start(kind: string): Promise<number> {
  const child = spawn(process.execPath, [PROGRAM, kind], { stdio: ['ignore', 'pipe', 'inherit'] });
  running.push(child);
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return Number(String(port));
}

describe.each([
  ['sdk1-stdio', LAST_HANDSHAKE],
  ['sdk1-http', LAST_HANDSHAKE],
  ['sdk1-sse', LAST_HANDSHAKE],
  ['sdk2-stdio', NEWEST],
  ['sdk2-http', NEWEST],
])('a server %s', (kind, revision) => {
  it(`is spoken to in ${revision}`, async () => {
    const client = await open(kind);
    expect(client.revision).toBe(revision);
    expect((await client.allTools()).map(({ name }) => name)).toContain('add');
    expect(await client.callTool('add', { a: 1, b: 2 })).toMatchObject({ isError: false, content: [{ text: '3' }] });
    expect(await client.readResource('note://1')).toMatchObject({ contents: [{ text: 'A note.' }] });
    await client.ping();
    // One SDK answers with a result, the other one with an error.
    const unknown = await client.callTool('none').catch((error: unknown) => error);
    expect(unknown).toMatchObject(unknown instanceof RpcError ? { code: -32602 } : { isError: true });
  });
});

describe.each(['sdk1-stdio', 'sdk1-http', 'sdk1-sse'])('a server %s', (kind) => {
  it('asks the user, and reports progress', async () => {
    const client = await open(kind, { onElicit: () => ({ action: 'accept', content: { name: 'Ada' } }) });
    expect(await client.callTool('greet')).toMatchObject({ content: [{ text: 'Hello, Ada' }] });
    const steps: number[] = [];
    await client.callTool('steps', {}, { onProgress: ({ progress }) => steps.push(progress) });
    expect(steps).toEqual([1, 2]);
  });
});
