/** Records in a file, over every transport and in every revision: once for each decision, also if the program is killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { audit, fileSink, type AuditRecord } from '@sigil-mcp/audit';
import { verifyChain, type VerifiedChain } from '@sigil-mcp/audit/verify';
import type { Server } from '@sigil-mcp/core';
import { HttpTransport } from '@sigil-mcp/fastify';
import { connect, type Target } from '@sigil-mcp/testing';
import { eachRevision } from '../../support/each-revision';
import { compileFixtures } from '../../support/compile-fixture';
import { until } from '../../support/until';
import { all } from '../../support/matrix';
import { as, believing, serve, type OpenServer } from '../http/http-server';
import { bank, Bank, SECRETS } from './fixtures/bank';
import { requestsIn } from './recorded-audit';

const SECRET = 'x'.repeat(32);
const folder = mkdtempSync(join(tmpdir(), 'sigil-audit-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;
const nextPath = (): string => {
  const own = join(folder, `${(count += 1)}`);
  mkdirSync(own);
  return join(own, 'audit.log');
};
const program = (): string => join(compileFixtures(join(__dirname, 'fixtures')), 'audited-program.js');

/** A server that listens, and what a target of a test is. */
interface Opened {
  readonly target: Target;
  close(): Promise<void>;
}

const observed = (path: string): ReturnType<typeof audit> =>
  audit({ sink: fileSink({ path }), secret: SECRET, chain: true });

const TRANSPORTS: Readonly<Record<'memory' | 'stdio' | 'http', (path: string) => Promise<Opened>>> = {
  async memory(path: string) {
    const server: Server = bank({ observers: [observed(path)] });
    return { target: server, close: () => server.close() };
  },
  async stdio(path: string) {
    return { target: { command: process.execPath, args: [program(), 'stdio', path] }, close: async () => undefined };
  },
  async http(path: string) {
    const server = bank({ observers: [observed(path)] });
    const transport = new HttpTransport({ port: 0, host: '127.0.0.1', handleSignals: false });
    await server.listen(transport);
    return { target: transport.url ?? '', close: () => server.close() };
  },
};

function recordsIn(path: string): AuditRecord[] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as AuditRecord);
}

const verified = (path: string): Promise<VerifiedChain> => verifyChain([path], { secrets: [SECRET], whole: true });

describe.each(Object.entries(TRANSPORTS))('over %s', (name, open) => {
  eachRevision('each decision is in the file once, in a whole chain', async ({ connect: connectHere, revision }) => {
    const path = nextPath();
    const { target, close } = await open(path);
    const client = await connectHere(target);
    await client.callTool('pay', { amount: 3, iban: 'NO9386011117947' });
    await client.callTool('vault').catch(() => undefined);
    await client.callTool('nobody').catch(() => undefined);
    await client.readResource('bank://accounts/NO9386011117947');
    await client.close();
    await close();
    await until(() => recordsIn(path).at(-1)?.kind === 'stopped');
    const records = recordsIn(path);
    const requests = requestsIn(records).filter(({ method }) => method !== 'initialize');
    expect(requests.map(({ method, entry, outcome }) => [method, entry?.key, outcome])).toEqual([
      ['tools/call', 'pay', 'result'],
      ['tools/call', 'vault', 'denied'],
      ['tools/call', undefined, 'error'],
      ['resources/read', 'bank://accounts/{iban}', 'result'],
    ]);
    for (const request of requests)
      expect(request).toMatchObject({ transport: name, revision, client: { name: 'sigil-testing' } });
    expect(await verified(path)).toMatchObject({ faults: [], records: records.length, torn: undefined });
    for (const secret of SECRETS) expect(readFileSync(path, 'utf8')).not.toContain(secret);
    expect(readdirSync(join(path, '..')).sort()).toEqual(['audit.log', 'audit.log.head']);
  });
});

/** A server over HTTP with the names of callers in their tokens. */
async function openHttp(path: string, options: object = {}): Promise<OpenServer> {
  return serve({ features: [Bank], observers: [observed(path)], ...options }, { auth: believing });
}

const call = (id: number, name: string): object => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });

it('records what HTTP refuses before it is a request, and bodies that cannot be read, once', async () => {
  const path = nextPath();
  const open = await openHttp(path);
  const statuses = [
    (await open.post(call(1, 'who'), { ...as('ada'), host: 'evil.example', origin: 'https://evil.example' })).status,
    (await open.post('{"jsonrpc":', as('ada'))).status,
    (await open.post(call(1, 'who'), { ...as('ada'), 'mcp-session-id': 'no-such-session' })).status,
    (await open.post(call(1, 'who'), { ...as('ada'), 'content-type': 'text/plain' })).status,
  ];
  await open.close();
  const refused = recordsIn(path).flatMap((record) => (record.kind === 'refused' ? [record] : []));
  expect(refused.map(({ status }) => status)).toEqual(statuses);
  expect(refused.map(({ caller }) => caller.id)).toContain('ada');
  expect(recordsIn(path).map(({ kind }) => kind)).not.toContain('unreadable');
  expect(await verified(path)).toMatchObject({ faults: [] });
});

it('keeps the order of each caller in a flood of 10,000 calls, and of 1,000 every day', async () => {
  const each = all ? 1000 : 100;
  const path = nextPath();
  const open = await openHttp(path, { limits: { calls: 100_000, callsPerClient: 100_000 } });
  const callers = Array.from({ length: 10 }, (_, index) => `caller-${index}`);
  const flood = async (name: string): Promise<void> => {
    const session = await open.initialize('2025-11-25', as(name));
    for (let id = 1; id <= each; id += 1) {
      const { messages } = await open.post(call(id, 'who'), session);
      if (!messages[0]?.result) throw new Error(JSON.stringify(messages));
    }
  };
  await Promise.all(callers.map(flood));
  await open.close();
  const calls = requestsIn(recordsIn(path)).filter(({ method }) => method === 'tools/call');
  expect(calls).toHaveLength(10 * each);
  for (const name of callers) {
    const times = calls.filter(({ caller }) => caller.id === name).map(({ time }) => time);
    expect(times).toHaveLength(each);
    expect(times).toEqual([...times].sort());
  }
  expect(await verified(path)).toMatchObject({ faults: [], torn: undefined });
}, 120_000);

it('has the record of every answer that was sent, if the program is killed, and goes on with the next start', async () => {
  const path = nextPath();
  for (const answered of [5, 40]) {
    const child = spawn(process.execPath, [program(), 'http', path], { stdio: ['ignore', 'pipe', 'inherit'] });
    const closed = once(child, 'close');
    const [url] = (await once(child.stdout, 'data')) as [Buffer];
    const client = await connect(String(url).trim());
    const before = recordsOf(path, 'who');
    let answers = 0;
    const work = Array.from({ length: 200 }, async () => {
      await client.callTool('who');
      answers += 1;
      if (answers === answered) child.kill('SIGKILL');
    });
    await Promise.allSettled(work);
    await closed;
    await client.close().catch(() => undefined);
    expect(recordsOf(path, 'who') - before).toBeGreaterThanOrEqual(answers);
  }
  const server = bank({ observers: [observed(path)] });
  await (await connect(server)).callTool('who');
  await server.close();
  expect(recordsIn(path).filter(({ kind }) => kind === 'started')).toHaveLength(3);
  expect(await verified(path)).toMatchObject({ faults: [], torn: undefined });
}, 60_000);

/** Whole records of calls of a tool. */
function recordsOf(path: string, tool: string): number {
  const text = readFileSync(path, 'utf8');
  return text.split('\n').filter((line) => line.endsWith('}') && line.includes(`"key":"${tool}"`)).length;
}

it('does not start a second program with the same file', async () => {
  const path = nextPath();
  const server = bank({ observers: [observed(path)] });
  await connect(server);
  const child = spawn(process.execPath, [program(), 'http', path], { stdio: ['ignore', 'ignore', 'pipe'] });
  const said: string[] = [];
  child.stderr.on('data', (text) => said.push(String(text)));
  const [code] = (await once(child, 'close')) as [number];
  expect(code).not.toBe(0);
  expect(said.join('')).toContain(`SIGIL_AUDIT_LOCKED`);
  expect(said.join('')).toContain(`process ${process.pid}`);
  await server.close();
});
