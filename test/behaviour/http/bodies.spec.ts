/** Every body is JSON-RPC on a transport of ours; in an app of the host's, what is the host's stays the host's. */
import { connect } from 'node:net';
import { Feature, Tool, createServer } from '@sigil-mcp/core';
import { HttpTransport, mcpPlugin } from '@sigil-mcp/fastify';
import Fastify, { type FastifyInstance } from 'fastify';
import { dial, until } from './raw-request';

@Feature()
class Clock {
  @Tool('Tells the time')
  now(): string {
    return 'now';
  }
}

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const logged: string[] = [];
const logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: (_fields: object, message: string) => void logged.push(message),
};
const clock = (limits = {}) => createServer({ name: 'clock', version: '1.0.0', features: [Clock], logger, limits });

async function own(prepare: (app: FastifyInstance) => void = () => undefined, limits = {}): Promise<string> {
  logged.length = 0;
  const server = clock(limits);
  const transport = new HttpTransport({ port: 0, host: '127.0.0.1', handleSignals: false });
  prepare(transport.app);
  await server.listen(transport);
  closing.push(() => server.close());
  return new URL(transport.url ?? '').origin;
}

async function hosted(prepare: (app: FastifyInstance) => void): Promise<string> {
  const app = Fastify();
  prepare(app);
  await app.register(mcpPlugin, { server: clock() });
  closing.push(() => app.close());
  return app.listen({ port: 0, host: '127.0.0.1' });
}

const JSON_TYPE = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const hello = {
  method: 'POST',
  headers: JSON_TYPE,
  body: '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bodies","version":"1"}}}',
};

describe('on a transport of ours', () => {
  it.each<[string, string, RequestInit, number]>([
    ['an unknown path', '/nowhere', {}, 404],
    ['an unknown path with a body that is broken', '/nowhere', { ...hello, body: '{' }, 400],
    ['an unknown path with no body though it says JSON', '/nowhere', { ...hello, body: '' }, 400],
    [
      'an unknown path with a body of an unknown kind',
      '/nowhere',
      { method: 'POST', headers: { 'content-type': 'text/csv' }, body: 'a,b' },
      404,
    ],
    [
      'an unknown path with a body that is too large',
      '/nowhere',
      { ...hello, body: `"${'x'.repeat(2_000_000)}"` },
      413,
    ],
    ['a probe with a body that is broken', '/healthz', { ...hello, body: '{' }, 400],
    [
      'a preflight of nowhere that says JSON',
      '/',
      { method: 'OPTIONS', headers: { 'content-type': 'application/json' } },
      400,
    ],
    ['a probe that is deleted', '/readyz', { method: 'DELETE' }, 404],
    ['a path that cannot be decoded', '/%', {}, 400],
    ['a body that is broken', '/mcp', { ...hello, body: '{' }, 400],
  ])('%s is answered in JSON-RPC [HTTP-001]', async (_what, path, init, status) => {
    const origin = await own();
    const response = await fetch(`${origin}${path}`, init);
    expect([response.status, await response.json()]).toMatchObject([
      status,
      { jsonrpc: '2.0', error: { code: expect.any(Number) as number, message: expect.any(String) as string } },
    ]);
  });

  it('a body over the limit is answered however its client sends it, never with a broken connection', async () => {
    // Room for all of them at the same time: without it, some are refused with 503 before they are too long.
    const origin = await own(undefined, { heldPerClient: 400_000_000 });
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const text = 'x'.repeat(6_000_000);
        const body = index % 2 === 0 ? text : new Blob([text]).stream();
        const response = await fetch(`${origin}/mcp`, { ...hello, body, duplex: 'half' });
        return [response.status, ((await response.json()) as { jsonrpc: string }).jsonrpc];
      }),
    );
    expect(answers).toEqual(answers.map(() => [413, '2.0']));
  });

  it('what is refused before it is read names no request in the words of its session [HTTP-011]', async () => {
    const origin = await own();
    const idOf = async (version: string, init: RequestInit): Promise<unknown> => {
      const opened = await fetch(`${origin}/mcp`, { ...hello, body: hello.body.replace('2025-11-25', version) });
      await opened.text();
      const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
      const response = await fetch(`${origin}/mcp`, { ...hello, ...init, headers: { ...init.headers, ...session } });
      expect(response.status).toBeGreaterThanOrEqual(400);
      return ((await response.json()) as { id?: unknown }).id;
    };
    const tooLarge = { headers: JSON_TYPE, body: 'x'.repeat(5_000_000) };
    const notJson = { headers: { ...JSON_TYPE, 'content-type': 'text/csv' } };
    const unacceptable = { headers: { ...JSON_TYPE, accept: 'text/html' } };
    const broken = { headers: JSON_TYPE, body: '{' };
    for (const init of [tooLarge, notJson, unacceptable, broken]) {
      expect(await idOf('2025-06-18', init)).toBeNull();
      expect(await idOf('2025-11-25', init)).toBeUndefined();
    }
  });

  it('what is no HTTP behind a request is refused after the answer to the request', async () => {
    let letGo: () => void = () => undefined;
    const isLetGo = new Promise<void>((resolve) => (letGo = resolve));
    let failures = 0;
    const origin = await own((app) => {
      app.get('/slow', async () => {
        await isLetGo;
        return { slow: 'but sure' };
      });
      app.server.on('clientError', () => failures++);
    });
    let heard = '';
    const socket = await dial(Number(new URL(origin).port));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('data', (data) => (heard += data.toString()));
    const ask = 'GET /slow HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n';
    socket.write(`${ask}${ask}no HTTP at all\r\n\r\n`);
    await until(() => failures === 1);
    socket.write('nor this\r\n\r\n');
    await until(() => failures === 2);
    letGo();
    await closed;
    expect(heard.match(/HTTP\/1\.1 \d+|but sure|could not be read/g)).toEqual([
      ...['HTTP/1.1 200', 'but sure', 'HTTP/1.1 200', 'but sure'],
      ...['HTTP/1.1 400', 'could not be read'],
    ]);
  });

  it('what is no HTTP behind a request does not break off an answer that has begun', async () => {
    const origin = await own((app) => {
      app.get('/parts', (_request, reply) => {
        reply.hijack().raw.writeHead(200, { 'content-type': 'text/plain' }).write('first ');
        app.server.once('clientError', () => reply.raw.end('last'));
      });
    });
    let heard = '';
    const socket = await dial(Number(new URL(origin).port));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('data', (data) => (heard += data.toString()));
    socket.write('GET /parts HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
    await until(() => heard.includes('first '));
    socket.write('no HTTP at all\r\n\r\n');
    await closed;
    expect(heard.match(/HTTP\/1\.1 \d+|first|last|could not be read/g)).toEqual([
      ...['HTTP/1.1 200', 'first', 'last'],
      ...['HTTP/1.1 400', 'could not be read'],
    ]);
  });

  it.each(['/mcp', '/nowhere', '/healthz'])('two Host headers are refused with 400: %s', async (path) => {
    const { port } = new URL(await own());
    const text = await new Promise<string>((resolve) => {
      let heard = '';
      const socket = connect(Number(port), '127.0.0.1', () =>
        socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: other.example\r\nConnection: close\r\n\r\n`),
      );
      socket.on('data', (data) => (heard += data.toString())).on('close', () => resolve(heard));
    });
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text).toContain('"jsonrpc":"2.0"');
  });

  it('an error of a route or a hook of the author is, too; what it says is only told where it is about the request', async () => {
    const origin = await own((app) => {
      app.get('/teapot', () => {
        throw Object.assign(new Error('No coffee here.'), { statusCode: 418 });
      });
      app.get('/secret', () => {
        throw new Error('the password is x');
      });
      app.addHook('onSend', async (request, reply) => {
        if (request.url === '/mcp' && reply.statusCode === 200) throw new Error('a plugin fails');
      });
    });
    const teapot = await fetch(`${origin}/teapot`);
    expect([teapot.status, await teapot.json()]).toMatchObject([
      418,
      { jsonrpc: '2.0', error: { message: 'No coffee here.' } },
    ]);
    const secret = await fetch(`${origin}/secret`);
    expect([secret.status, await secret.text()]).toEqual([500, expect.not.stringContaining('password')]);
    const broken = await fetch(`${origin}/mcp`, hello);
    expect(broken.status).toBe(500);
    expect(await broken.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32603 } });
    expect(logged).toContain('An HTTP request failed unexpectedly');
  });

  it('a response that fails after it has begun is broken off, and nothing is written into it', async () => {
    const origin = await own((app) => {
      app.get('/begun', async (_request, reply) => {
        reply.raw.writeHead(200, { 'content-type': 'text/plain' });
        reply.raw.write('half of it');
        await new Promise((resolve) => setImmediate(resolve));
        throw new Error('too late');
      });
    });
    const heard = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(Number(new URL(origin).port), '127.0.0.1', () =>
        socket.write('GET /begun HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'),
      );
      socket.on('data', (data) => (text += data.toString()));
      socket.on('error', () => undefined).on('close', () => resolve(text));
    });
    expect(heard).toContain('half of it');
    expect(heard.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(heard).not.toContain('jsonrpc');
    expect(logged).toContain('A response failed after it had begun');
    expect((await fetch(`${origin}/mcp`, hello)).status).toBe(200);
  });
});

describe('in an app of the host', () => {
  it("the host's own limiter passes as it is: its status, headers and body", async () => {
    const origin = await hosted((app) => {
      app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) =>
        reply.code(error.statusCode ?? 500).send({ limited: error.message }),
      );
      app.addHook('onRequest', async (request, reply) => {
        if (request.headers['x-over'] === undefined) return;
        void reply.header('retry-after', '17').header('x-ratelimit-limit', '5');
        throw Object.assign(new Error('Rate limit exceeded'), { statusCode: 429 });
      });
    });
    const response = await fetch(`${origin}/mcp`, { ...hello, headers: { ...JSON_TYPE, 'x-over': 'yes' } });
    expect([response.status, response.headers.get('retry-after'), response.headers.get('x-ratelimit-limit')]).toEqual([
      429,
      '17',
      '5',
    ]);
    expect(await response.json()).toEqual({ limited: 'Rate limit exceeded' });
    expect((await fetch(`${origin}/mcp`, hello)).status).toBe(200);
  });

  it('a hook of the host that answers by itself has the last word', async () => {
    const origin = await hosted((app) => {
      app.addHook('onRequest', async (_request, reply) => reply.code(429).send('slow down'));
    });
    const response = await fetch(`${origin}/mcp`, hello);
    expect([response.status, await response.text()]).toEqual([429, 'slow down']);
  });
});
