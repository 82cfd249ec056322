/** An endpoint whose answers are handed on as a whole, as a function does it: nothing waits for a stream that never arrives. */
import { Feature, McpContext, Resource, Tool } from '@sigil-mcp/core';
import type { HttpTransportOptions } from '@sigil-mcp/fastify';
import { request, serve, type OpenServer } from './http-server';

const NEWEST = '2026-07-28';
const HANDSHAKES = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const META = {
  'io.modelcontextprotocol/protocolVersion': NEWEST,
  'io.modelcontextprotocol/clientCapabilities': {},
};

@Feature()
class Shop {
  @Tool('Reports')
  async report(context: McpContext): Promise<string> {
    await context.progress(1, 2);
    return 'done';
  }

  @Resource('shop://plan')
  plan(): string {
    return 'plan';
  }
}

let open: OpenServer;
afterEach(() => open.close());

const start = async (options: HttpTransportOptions): Promise<void> => {
  open = await serve({ features: [Shop] }, options);
};

/** The whole answer: a stream has to end. */
async function ask(message: object | undefined, headers: Record<string, string> = {}, path = '/mcp') {
  const manners = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const method = message ? 'POST' : 'GET';
  const body = message && JSON.stringify(message);
  const response = await fetch(new URL(path, open.url), {
    method,
    headers: { ...manners, ...headers },
    ...(body !== undefined && { body }),
  });
  return { status: response.status, text: await response.text() };
}

const alone = (method: string, params: object) =>
  ask(request(1, method, { ...params, _meta: { ...META, progressToken: 1 } }), {
    'mcp-protocol-version': NEWEST,
    'mcp-method': method,
    ...('name' in params && { 'mcp-name': String(params.name) }),
  });
const initialize = (protocolVersion: string) =>
  ask(request(1, 'initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } }), {
    'mcp-protocol-version': protocolVersion,
  });

describe('a buffered endpoint', () => {
  it('acknowledges nothing of what a client would listen to, and ends at once', async () => {
    await start({ stream: 'buffered' });
    const notifications = { toolsListChanged: true, resourceSubscriptions: ['shop://plan'] };
    const { status, text } = await alone('subscriptions/listen', { notifications });
    expect(status).toBe(200);
    const events = text.match(/(?<=^data: ).+$/gm)?.map((data) => JSON.parse(data) as object);
    expect(events).toMatchObject([
      { method: 'notifications/subscriptions/acknowledged', params: { notifications: {} } },
      { id: 1, result: {} },
    ]);
    expect(text).not.toMatch(/toolsListChanged|shop:/);
  });

  it('announces no changes, by any revision, and hands on progress with the result', async () => {
    await start({ stream: 'buffered' });
    const answers = [await alone('server/discover', {}), ...(await Promise.all(HANDSHAKES.map(initialize)))];
    for (const { status, text } of answers) {
      expect([status, text]).toEqual([200, expect.stringContaining('"tools":{}')]);
      expect(text).not.toMatch(/listChanged|"subscribe"/);
    }
    expect((await alone('tools/call', { name: 'report', arguments: {} })).text).toMatch(/progress[^]*"done"/);
  });

  it('has no sessions and no streams of their own, whatever else is said', async () => {
    await start({ stream: 'buffered', sessions: {}, sse: true });
    const accept = 'text/event-stream';
    expect((await ask(undefined, { accept, 'mcp-session-id': 'x' })).status).toBe(405);
    expect((await ask(undefined, { accept }, '/sse')).status).toBe(404);
  });
});

describe('an endpoint without sessions', () => {
  it.each(HANDSHAKES)('announces no changes to clients of %s, to whom nobody could tell them', async (version) => {
    await start({ sessions: false });
    const { text } = await initialize(version);
    expect(text).toContain('"tools":{}');
    expect(text).not.toMatch(/listChanged|"subscribe"/);
  });

  it('announces them to clients that can listen by themselves, and one with sessions to all', async () => {
    await start({ sessions: false });
    expect((await alone('server/discover', {})).text).toContain('"listChanged":true');
    await open.close();
    await start({});
    for (const version of HANDSHAKES) expect((await initialize(version)).text).toContain('"listChanged":true');
  });
});
