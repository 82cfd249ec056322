/** Pages of named origins can speak to the server, and read what it says: on success, on refusals, and on streams. */
import { Feature, McpContext, Tool } from '@sigil-mcp/core';
import { read, request, serve, type HttpAnswer, type OpenServer } from './http-server';

const ORIGIN = 'https://chat.example';

@Feature()
class Talker {
  @Tool('Says something first')
  async talk(context: McpContext): Promise<string> {
    await context.progress(1);
    return 'talked';
  }
}

let open: OpenServer;
afterEach(() => open.close());
const start = async (
  options: Parameters<typeof serve>[1] = { allowedOrigins: [ORIGIN], bodyLimit: 5000, sse: true },
): Promise<void> => {
  open = await serve({ features: [Talker] }, options);
};

function expectReadable({ headers }: { headers: Headers }): void {
  expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
  expect(headers.get('vary')).toContain('Origin');
  for (const name of ['Mcp-Session-Id', 'MCP-Protocol-Version', 'WWW-Authenticate'])
    expect(headers.get('access-control-expose-headers')).toContain(name);
}

const preflight = (origin: string, path = '/mcp'): Promise<Response> =>
  fetch(new URL(path, open.url), {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers':
        'content-type,mcp-protocol-version,mcp-method,mcp-name,mcp-param-region,mcp-session-id,last-event-id,authorization',
    },
  });

describe('a page of a named origin', () => {
  it('may send all headers of the protocol, those of arguments too, and every method', async () => {
    await start();
    for (const path of ['/mcp', '/sse', '/messages']) {
      const answer = await preflight(ORIGIN, path);
      expect(answer.status).toBe(204);
      expect(answer.headers.get('access-control-allow-origin')).toBe(ORIGIN);
      for (const name of ['mcp-param-region', 'mcp-session-id', 'last-event-id', 'authorization'])
        expect(answer.headers.get('access-control-allow-headers')).toContain(name);
      for (const method of ['GET', 'POST', 'DELETE'])
        expect(answer.headers.get('access-control-allow-methods')).toContain(method);
    }
  });

  it('is answered before anybody asks who it is, because a preflight cannot say', async () => {
    await start({ allowedOrigins: [ORIGIN], auth: { verify: () => Promise.reject(new Error('never asked')) } });
    expect((await preflight(ORIGIN)).status).toBe(204);
  });

  it('can read answers and refusals', async () => {
    await start();
    const init = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'page', version: '1' } };
    const answers: [number, Promise<HttpAnswer>][] = [
      [200, open.post(request(1, 'initialize', init), { origin: ORIGIN })],
      [400, open.post('{', { origin: ORIGIN })],
      [400, open.post(request(1, 'ping'), { origin: ORIGIN })],
      [404, open.post(request(1, 'ping'), { origin: ORIGIN, 'mcp-session-id': 'over' })],
      [406, open.post(request(1, 'ping'), { origin: ORIGIN, accept: 'text/html' })],
      [413, open.post('x'.repeat(6000), { origin: ORIGIN })],
      [415, open.post('{}', { origin: ORIGIN, 'content-type': 'text/plain' })],
      [405, fetch(open.url, { method: 'PUT', headers: { origin: ORIGIN } }).then(read)],
    ];
    for (const [status, answer] of answers) {
      expect((await answer).status).toBe(status);
      expectReadable(await answer);
    }
  });

  it('can read streams', async () => {
    await start();
    const session = { ...(await open.initialize()), origin: ORIGIN };
    const call = await open.post(request(1, 'tools/call', { name: 'talk', _meta: { progressToken: 1 } }), session);
    expect(call.headers.get('content-type')).toBe('text/event-stream');
    expectReadable(call);
    for (const url of [open.url, new URL('/sse', open.url)]) {
      const stream = await fetch(url, { headers: { ...session, accept: 'text/event-stream' } });
      expect(stream.status).toBe(200);
      expectReadable(stream);
      await stream.body?.cancel();
    }
  });
});

describe('a page of another origin', () => {
  it('is told nothing, by a preflight or a refusal [HTTP-004]', async () => {
    await start();
    expect((await preflight('https://evil.example')).headers.get('access-control-allow-origin')).toBeNull();
    const answer = await open.post(request(1, 'ping'), { origin: 'https://evil.example' });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([403, null]);
  });

  it('is everybody where no origins are named', async () => {
    await start({});
    const answer = await preflight(ORIGIN);
    expect([answer.status, answer.headers.get('access-control-allow-origin'), answer.headers.get('allow')]).toEqual([
      405,
      null,
      'POST, GET, DELETE',
    ]);
  });
});
