/** The way of a call, counted in files of ours between the bytes and the author's method, as the stack of the method has them. */
import { PassThrough } from 'node:stream';
import { once } from 'node:events';
import { Caller, Feature, Tool, createServer, type Auth, type ServerOptions } from '@sigil-mcp/core';
import { StdioTransport } from '@sigil-mcp/core/stdio';
import { HttpTransport, type HttpTransportOptions } from '@sigil-mcp/fastify';
import { META_KEYS } from '@sigil-mcp/protocol';
import { redis } from '@sigil-mcp/redis';
import { createClient } from '@redis/client';
import { RedisServer } from '../support/supplies/redis-server';
import { describeWith } from '../support/supplies/supply';

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
const OVER_HTTP = [
  'fastify/src/endpoint/register-routes.ts',
  'http/src/methods/post.ts',
  'http/src/exchange/exchanges.ts',
  ...KERNEL,
];
/** The body is read in the turn in which the call begins, unless something is awaited in between. */
const WITH_BODY = ['fastify/src/endpoint/collect-body.ts', ...OVER_HTTP];

async function overStdio(...messages: readonly object[]): Promise<string[]> {
  const input = new PassThrough();
  const output = new PassThrough();
  const server = serverOf();
  await server.listen(new StdioTransport({ input, output }));
  for (const message of messages) {
    input.write(`${JSON.stringify(message)}\n`);
    await once(output, 'data');
  }
  await server.close();
  return files();
}

interface HttpWay {
  readonly server?: Partial<ServerOptions>;
  readonly transport?: HttpTransportOptions;
  readonly revision: string;
}

async function overHttp({ server: options, transport: settings, revision }: HttpWay): Promise<string[]> {
  const server = serverOf(options);
  const transport = new HttpTransport({ port: 0, host: '127.0.0.1', handleSignals: false, ...settings });
  await server.listen(transport);
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: 'Bearer ann',
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
  if (revision === NEWEST) {
    const repeated = { 'mcp-protocol-version': NEWEST, 'mcp-method': 'tools/call', 'mcp-name': 'see' };
    await post(call({ _meta: META }), repeated);
  } else {
    const session = (await post(initialize, {})).get('mcp-session-id') ?? '';
    await post(call(), { 'mcp-session-id': session });
  }
  await server.close();
  return files();
}

describe('the way of a call', () => {
  it('has six files over stdio, after a handshake and without one', async () => {
    expect(await overStdio(call({ _meta: META }))).toEqual(OVER_STDIO);
    expect(await overStdio(initialize, call())).toEqual(OVER_STDIO);
  });

  it.each([HANDSHAKE, NEWEST])(
    'has eight files over HTTP in %s, of which the first reads the body',
    async (revision) => {
      expect(await overHttp({ revision })).toEqual(WITH_BODY);
    },
  );

  it.each([HANDSHAKE, NEWEST])('has eight files over HTTP in %s with tokens', async (revision) => {
    const auth: Auth = { verify: (name) => Promise.resolve(new Caller({ id: name })) };
    expect(await overHttp({ revision, transport: { auth } })).toEqual(WITH_BODY);
  });
});

describeWith('redis-server', 'the way of a call with Redis', () => {
  let store: RedisServer;
  beforeAll(async () => (store = await RedisServer.start()));
  afterAll(() => store.stop());

  it.each([
    [HANDSHAKE, OVER_HTTP],
    [NEWEST, WITH_BODY],
  ])('has at most eight files over HTTP in %s', async (revision, expected) => {
    const client = createClient({ url: store.url, disableOfflineQueue: true });
    await client.connect();
    const options = { stores: redis({ client }), requestState: { secrets: ['s'.repeat(32)] } };
    expect(await overHttp({ revision, server: options })).toEqual(expected);
    client.destroy();
  });
});
