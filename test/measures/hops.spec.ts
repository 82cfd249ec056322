/**
 * The way of a call, counted in files of ours: those between the bytes and the author's method, as the stack of the method has them, and
 * those of which any function runs, before the method and after it.
 */
import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import { PassThrough } from 'node:stream';
import { once } from 'node:events';
import { Caller, Feature, Tool, createServer, type Auth, type ServerOptions } from '@sigil-mcp/core';
import { StdioTransport } from '@sigil-mcp/core/stdio';
import { HttpTransport, type HttpTransportOptions } from '@sigil-mcp/fastify';
import { META_KEYS } from '@sigil-mcp/protocol';
import { redis } from '@sigil-mcp/redis';
import { jwt } from '@sigil-mcp/oauth';
import { ManualClock, issuer, type TestIssuer } from '@sigil-mcp/testing';
import { createClient } from '@redis/client';
import { RedisServer } from '../support/supplies/redis-server';
import { describeWith } from '../support/supplies/supply';
import { turn } from '../support/turn';

const NEWEST = '2026-07-28';
const HANDSHAKE = '2025-11-25';
let stack: string[] = [];

@Feature()
class Stack {
  @Tool('Writes its stack down')
  see(): void {
    const before = Error.stackTraceLimit;
    Error.stackTraceLimit = Infinity;
    stack = (new Error().stack ?? '').split('\n');
    Error.stackTraceLimit = before;
  }
}

const serverOf = (options: Partial<ServerOptions> = {}) =>
  createServer({ name: 'hops', version: '1.0.0', features: [Stack], logger: false, ...options });
const META = { [META_KEYS.protocolVersion]: NEWEST, [META_KEYS.clientCapabilities]: {} };
const request = (id: number, method: string, params: object): object => ({ jsonrpc: '2.0', id, method, params });
const call = (extra: object = {}): object => request(1, 'tools/call', { name: 'see', ...extra });
const initialize = request(0, 'initialize', {
  protocolVersion: HANDSHAKE,
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});

/** Source files of the packages, from the bytes to the method. */
function files(): string[] {
  const found = stack.map((frame) => /packages[\\/](\w+[\\/]src[\\/][^:)]+\.ts)/.exec(frame)?.[1]);
  return [...new Set(found.filter((file) => file !== undefined))].reverse().map((file) => file.replaceAll('\\', '/'));
}

const KERNEL = [
  'core/src/kernel/kernel.ts',
  'core/src/kernel/pending-answer.ts',
  'core/src/kernel/methods/tools.ts',
  'core/src/pipeline/compile-call.ts',
];
const OVER_STDIO = ['core/src/transports/stdio/read-lines.ts', 'core/src/transports/duplex-channel.ts', ...KERNEL];
const OVER_HTTP = ['fastify/src/endpoint/register-routes.ts', 'http/src/methods/post.ts', ...KERNEL];

/** What a call passes through. */
interface Passed {
  /** Files on the stack of the method, from the bytes to it. */
  readonly stack: readonly string[];
  /** Files of which a function ran from the first byte of the message to the last of its answer. */
  readonly run: readonly string[];
}

/** How often the files of a call are counted. */
const ROUNDS = 5;

/** Counts the files of a call; the one before it has done what is done once. */
async function passed(exchange: () => Promise<void>): Promise<Passed> {
  await exchange();
  await turn();
  const inspector = new Session();
  inspector.connect();
  await inspector.post('Profiler.enable');
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  let fewest: readonly string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await inspector.post('Profiler.takePreciseCoverage');
    await exchange();
    await turn();
    const { result } = await inspector.post('Profiler.takePreciseCoverage');
    // What an instance does from time to time may fall into one round; it is not in all.
    const run = filesOf(result);
    if (round === 0 || run.length < fewest.length) fewest = run;
  }
  inspector.disconnect();
  return { stack: files(), run: fewest };
}

/** Our files of which a function ran. */
function filesOf(coverage: readonly Profiler.ScriptCoverage[]): string[] {
  const ran = coverage.filter(({ functions }) =>
    // An index hands on what others export; a compiler of another kind would leave it out.
    functions.some(({ functionName, ranges }) => functionName !== 'get' && (ranges[0]?.count ?? 0) > 0),
  );
  const found = ran.map(({ url }) => /packages[\\/](\w+[\\/]src[\\/].+\.ts)$/.exec(url)?.[1]?.replaceAll('\\', '/'));
  const ours = new Set(found.filter((file) => file !== undefined));
  // The clock of the test is no part of the server, nor is what a spec before this one has left running.
  return [...ours].filter((file) => !/(?:^|\/)testing\//.test(file)).sort();
}

async function overStdio(revision: string): Promise<Passed> {
  const input = new PassThrough();
  const output = new PassThrough();
  const server = serverOf();
  await server.listen(new StdioTransport({ input, output }));
  const exchange = async (message: object): Promise<void> => {
    input.write(`${JSON.stringify(message)}\n`);
    await once(output, 'data');
  };
  if (revision === HANDSHAKE) await exchange(initialize);
  const found = await passed(() => exchange(revision === HANDSHAKE ? call() : call({ _meta: META })));
  await server.close();
  return found;
}

interface HttpWay {
  readonly server?: Partial<ServerOptions>;
  readonly transport?: HttpTransportOptions;
  readonly revision: string;
  readonly token?: string;
}

async function overHttp({ server: options, transport: settings, revision, token = 'ann' }: HttpWay): Promise<Passed> {
  const server = serverOf(options);
  const transport = new HttpTransport({ port: 0, host: '127.0.0.1', handleSignals: false, ...settings });
  await server.listen(transport);
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${token}`,
  };
  const post = async (body: object, more: Record<string, string>): Promise<Headers> => {
    const answer = await fetch(transport.url ?? '', {
      method: 'POST',
      headers: { ...headers, ...more },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
    await answer.text();
    return answer.headers;
  };
  const repeated = { 'mcp-protocol-version': NEWEST, 'mcp-method': 'tools/call', 'mcp-name': 'see' };
  const session = revision === NEWEST ? '' : ((await post(initialize, {})).get('mcp-session-id') ?? '');
  const found = await passed(async () => {
    if (revision === NEWEST) await post(call({ _meta: META }), repeated);
    else await post(call(), { 'mcp-session-id': session });
  });
  await server.close();
  return found;
}

/** How many files run on each way, at most. Take from a figure what a change takes from it; no figure grows. */
const MOST_RUN = {
  'stdio 2025-11-25': 27,
  'stdio 2026-07-28': 27,
  'HTTP 2025-11-25': 49,
  'HTTP 2026-07-28': 45,
  'HTTP 2025-11-25 with tokens': 52,
  'HTTP 2026-07-28 with tokens': 48,
  'HTTP 2025-11-25 with Redis': 50,
  'HTTP 2026-07-28 with Redis': 43,
} as const;

/** The files that run, where they are more than they were. */
function tooMany(way: string, run: readonly string[]): readonly string[] {
  const most = (MOST_RUN as Readonly<Record<string, number>>)[way] ?? 0;
  return run.length > most ? [`${way}: ${run.length} instead of ${most}`, ...run] : [];
}

describe.each([HANDSHAKE, NEWEST])('the way of a call in %s', (revision) => {
  it('has six files over stdio', async () => {
    const { stack: way, run } = await overStdio(revision);
    expect(way).toEqual(OVER_STDIO);
    expect(tooMany(`stdio ${revision}`, run)).toEqual([]);
  });

  it('has six files over HTTP', async () => {
    const { stack: way, run } = await overHttp({ revision });
    expect(way).toEqual(OVER_HTTP);
    expect(tooMany(`HTTP ${revision}`, run)).toEqual([]);
  });

  it('has six files over HTTP where tokens take their time', async () => {
    const auth: Auth = { verify: (name) => Promise.resolve(new Caller({ id: name })) };
    expect((await overHttp({ revision, transport: { auth } })).stack).toEqual(OVER_HTTP);
  });

  describe('with tokens of an issuer', () => {
    const resource = 'http://127.0.0.1/mcp';
    let id: TestIssuer;
    beforeAll(async () => (id = await issuer({ audience: resource })));
    afterAll(() => id.close());

    it('has at most six files over HTTP', async () => {
      const auth = jwt({ issuer: id.url, resource });
      const { stack: way, run } = await overHttp({ revision, transport: { auth }, token: id.token() });
      expect(way).toEqual(OVER_HTTP);
      expect(tooMany(`HTTP ${revision} with tokens`, run)).toEqual([]);
    });
  });
});

describeWith('redis-server', 'the way of a call with Redis', () => {
  let store: RedisServer;
  beforeAll(async () => (store = await RedisServer.start()));
  afterAll(() => store.stop());

  it.each([HANDSHAKE, NEWEST])('has at most six files over HTTP in %s', async (revision) => {
    const client = createClient({ url: store.url, disableOfflineQueue: true });
    await client.connect();
    // What instances do from time to time is no part of a call.
    const clock = new ManualClock();
    const options = { stores: redis({ client }), requestState: { secrets: ['s'.repeat(32)] }, clock };
    const { stack: way, run } = await overHttp({ revision, server: options });
    expect(way).toEqual(OVER_HTTP);
    expect(tooMany(`HTTP ${revision} with Redis`, run)).toEqual([]);
    client.destroy();
  });
});
