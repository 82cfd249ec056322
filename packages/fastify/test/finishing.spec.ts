/** Every place where an exchange is finished may throw: what is thrown is logged, answered if it still can be, and ends that exchange alone. */
import { Feature, McpContext, Tool, createServer, type Server } from '@sigil-mcp/core';
import { mcpPlugin } from '@sigil-mcp/fastify';
import Fastify, { type FastifyInstance } from 'fastify';
import { request } from '../../../test/behaviour/http/http-server';
import { turn } from '../../../test/support/turn';

/** Milliseconds that are longer than a test lasts: a server that closes has not waited for them. */
const ENDLESS = 600_000;
const NEWEST = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': NEWEST,
  'io.modelcontextprotocol/clientCapabilities': {},
  progressToken: 1,
};

@Feature()
class Work {
  @Tool('Answers at once')
  now(): string {
    return 'now';
  }

  @Tool('Answers later')
  async later(): Promise<string> {
    await turn();
    return 'later';
  }

  @Tool('Says something first')
  async told(context: McpContext): Promise<string> {
    await context.progress(1, 2);
    return 'told';
  }

  @Tool('Says something first, and does not wait for it')
  async hasty(context: McpContext): Promise<string> {
    context.log.error('hasty');
    void context.progress(1, 2);
    await turn();
    return 'hasty';
  }
}

const logged: string[] = [];
const unhandled: unknown[] = [];
const note = (error: unknown): void => void unhandled.push(error);
let app: FastifyInstance;
let server: Server;
let url: string;

async function start(prepare: (app: FastifyInstance) => void): Promise<void> {
  const log = (_fields: object, message: string): void => void logged.push(message);
  const logger = { debug: () => undefined, info: () => undefined, warn: log, error: log };
  server = createServer({ name: 'finishing', version: '1.0.0', features: [Work], logger, shutdownDeadline: ENDLESS });
  // A client that gives up before it has sent anything leaves a connection, which Node waits for.
  app = Fastify({ forceCloseConnections: true });
  prepare(app);
  await app.register(mcpPlugin, { server });
  url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/mcp`;
}

beforeEach(() => {
  logged.length = unhandled.length = 0;
  process.on('unhandledRejection', note);
});
afterEach(async () => {
  await app.close();
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

interface Heard {
  readonly status: number | 'broken off';
  readonly text: string;
}

async function post(body: unknown, headers: Record<string, string> = {}, patience?: number): Promise<Heard> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: JSON.stringify(body),
      ...(patience !== undefined && { signal: AbortSignal.timeout(patience) }),
    });
    return { status: response.status, text: await response.text() };
  } catch {
    return { status: 'broken off', text: '' };
  }
}

const call = (name: string, headers: Record<string, string> = {}): Promise<Heard> =>
  post(request(name, 'tools/call', { name, arguments: {}, _meta: META }), {
    'mcp-protocol-version': NEWEST,
    'mcp-method': 'tools/call',
    'mcp-name': name,
    ...headers,
  });

async function openSession(version: string): Promise<Record<string, string>> {
  const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'finishing', version: '1' } };
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(request(0, 'initialize', params)),
  });
  return { 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' };
}

/** Everything that a client may ask for, with a mark on the requests that go wrong. */
async function everything(): Promise<Heard[]> {
  const [session, batches] = [await openSession('2025-11-25'), await openSession('2025-03-26')];
  const marked = { 'x-break': 'yes' };
  const inSession = (name: string) =>
    post(request(name, 'tools/call', { name, arguments: {}, _meta: { progressToken: 1 } }), { ...session, ...marked });
  const batch = (...names: string[]) =>
    post(
      names.map((name) => request(name, 'tools/call', { name, arguments: {}, _meta: { progressToken: 1 } })),
      { ...batches, ...marked },
    );
  const stream = (headers: Record<string, string>) =>
    fetch(url, {
      headers: { accept: 'text/event-stream', ...headers, ...marked },
      signal: AbortSignal.timeout(500),
    })
      .then(async (response): Promise<Heard> => ({ status: response.status, text: await response.text() }))
      .catch((): Heard => ({ status: 'broken off', text: '' }));
  const names = ['now', 'later', 'told', 'hasty', 'nobody'];
  return Promise.all([
    ...names.map((name) => call(name, marked)),
    ...names.map(inSession),
    batch('now', 'later'),
    batch('now', 'told'),
    batch('hasty', 'nobody'),
    post({ jsonrpc: '2.0', method: 'notifications/initialized' }, { ...session, ...marked }),
    post('{', { ...session, ...marked }),
    stream(session),
    // This one lasts, unless it breaks.
    post(
      request(1, 'subscriptions/listen', { notifications: {}, _meta: META }),
      { 'mcp-protocol-version': NEWEST, 'mcp-method': 'subscriptions/listen', ...marked },
      500,
    ),
  ]);
}

/** Whether others are answered, and nothing is left open. */
async function isWell(): Promise<void> {
  expect(await call('told')).toMatchObject({ status: 200, text: expect.stringContaining('told') as string });
  await server.close();
}

describe('an exchange that cannot be finished', () => {
  it.each<[string, (app: FastifyInstance) => void]>([
    [
      'because a header of the host can be on no wire',
      (host) => {
        host.addHook('preHandler', async (request, reply) => {
          if (request.headers['x-break']) void reply.header('x-name', 'one\ntwo');
        });
      },
    ],
    [
      'because a hook throws while it is sent',
      (host) => {
        host.addHook('onSend', async (request) => {
          if (request.headers['x-break']) throw new Error('on send');
        });
      },
    ],
    [
      'because a hook throws when it was sent',
      (host) => {
        host.addHook('onResponse', async (request) => {
          if (request.headers['x-break']) throw new Error('on response');
        });
      },
    ],
    [
      'because the response cannot be written to',
      (host) => {
        host.addHook('preHandler', async (request, reply) => {
          if (!request.headers['x-break']) return;
          reply.raw.write = reply.raw.end = () => {
            throw new Error('not written');
          };
        });
      },
    ],
    [
      'because the response has no head',
      (host) => {
        host.addHook('preHandler', async (request, reply) => {
          if (!request.headers['x-break']) return;
          reply.raw.writeHead = () => {
            throw new Error('no head');
          };
        });
      },
    ],
    [
      'because its connection was destroyed before',
      (host) => {
        host.addHook('preHandler', async (request, reply) => {
          if (request.headers['x-break']) reply.raw.destroy();
        });
      },
    ],
    [
      'because the host has answered before',
      (host) => {
        host.addHook('preHandler', async (request, reply) => {
          if (request.headers['x-break']) reply.raw.writeHead(200).end('{"jsonrpc":"2.0"}');
        });
      },
    ],
  ])('ends alone, %s', async (_why, prepare) => {
    await start(prepare);
    for (const { text } of await everything()) expect(text.match(/HTTP\/1\.1/g)).toBeNull();
    await isWell();
  });
});
