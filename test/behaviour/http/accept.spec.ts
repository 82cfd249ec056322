/** Clients that accept only one kind of answer get that kind, and hear what it leaves out. */
import { Feature, McpContext, Tool } from '@sigil-mcp/core';
import type { HttpTransportOptions } from '@sigil-mcp/fastify';
import { request, serve, type OpenServer } from './http-server';

const NEWEST = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': NEWEST,
  'io.modelcontextprotocol/clientCapabilities': {},
};

@Feature()
class Desk {
  @Tool('Reports')
  async report(context: McpContext): Promise<string> {
    await context.progress(1, 2);
    context.releaseStream();
    return 'done';
  }

  @Tool('Asks')
  async ask(context: McpContext): Promise<string> {
    return context.roots().then(
      () => 'answered',
      (error: Error) => error.message,
    );
  }
}

let open: OpenServer;
afterEach(() => open.close());

const start = async (options: HttpTransportOptions = {}): Promise<void> => {
  open = await serve({ features: [Desk] }, options);
};

async function post(message: object, headers: Record<string, string>) {
  const body = JSON.stringify(message);
  const response = await fetch(open.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  const { status } = response;
  return { status, type: response.headers.get('content-type'), headers: response.headers, text: await response.text() };
}

const alone = (accept: string, method: string, params: { readonly name?: string }) =>
  post(request(1, method, { ...params, _meta: { ...META, progressToken: 1 } }), {
    accept,
    'mcp-protocol-version': NEWEST,
    'mcp-method': method,
    ...(params.name !== undefined && { 'mcp-name': params.name }),
  });

describe('a client that accepts JSON alone', () => {
  it.each(['auto', 'always', 'buffered'] as const)(
    'gets the result in JSON, without the progress before it: stream is %s',
    async (stream) => {
      await start({ stream });
      const { status, type, text } = await alone('application/json', 'tools/call', { name: 'report' });
      expect([status, type]).toEqual([200, expect.stringContaining('application/json')]);
      expect(JSON.parse(text)).toMatchObject({ id: 1, result: { content: [{ text: 'done' }] } });
    },
  );

  it('cannot be asked anything, which the handler is told', async () => {
    await start();
    const accept = 'application/json';
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: { roots: {} },
      clientInfo: { name: 'json', version: '1' },
    };
    const { headers } = await post(request(1, 'initialize', params), { accept });
    const session = { accept, 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
    await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, session);
    const { text } = await post(request(2, 'tools/call', { name: 'ask' }), session);
    const [{ text: answer }] = (JSON.parse(text) as { result: { content: [{ text: string }] } }).result.content;
    expect(answer).toContain('Its Accept header must name text/event-stream');
  });

  it('cannot listen', async () => {
    await start();
    const { status } = await alone('application/json', 'subscriptions/listen', {});
    expect(status).toBe(406);
  });
});

it('a client that accepts event streams alone gets one', async () => {
  await start();
  const { type, text } = await alone('text/event-stream', 'tools/call', { name: 'report' });
  expect([type, text.match(/^data: /gm)?.length]).toEqual(['text/event-stream', 2]);
});

it('a client without an Accept header accepts the stream of its session', async () => {
  await start();
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bare', version: '1' } };
  const { headers } = await post(request(1, 'initialize', params), {});
  const stream = await open.raw(
    `GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:${open.port}\r\nmcp-session-id: ${headers.get('mcp-session-id')}\r\n\r\n`,
    (text) => text.includes('text/event-stream'),
  );
  expect(stream).toContain('HTTP/1.1 200');
});
