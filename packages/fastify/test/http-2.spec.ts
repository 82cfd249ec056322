/** HTTP/2, in an app of the author: its requests name their host as `:authority`, and are checked by it. */
import { connect, type ClientHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { createServer, Feature, Tool } from '@sigil-mcp/core';
import { mcpPlugin } from '@sigil-mcp/fastify';
import Fastify from 'fastify';

@Feature()
class Clock {
  @Tool('Tells the time') time(): string {
    return 'noon';
  }
}

const PING = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: {
    name: 'time',
    arguments: {},
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
});
const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'time',
};

let close: () => Promise<void>;
let session: ClientHttp2Session;
let port: number;
beforeEach(async () => {
  const app = Fastify({ http2: true });
  const server = createServer({ name: 'clock', version: '1.0.0', features: [Clock], logger: false });
  await app.register(mcpPlugin, { server, allowedHosts: ['mcp.example.com'] });
  await app.listen({ port: 0, host: '127.0.0.1' });
  ({ port } = app.server.address() as AddressInfo);
  session = connect(`http://127.0.0.1:${port}`);
  close = async () => {
    session.destroy();
    await app.close();
  };
});
afterEach(() => close());

function post(authority: string, headers: Record<string, string> = {}): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ':method': 'POST',
      ':path': '/mcp',
      ':authority': authority,
      ...HEADERS,
      ...headers,
    });
    let [status, text] = [0, ''];
    stream.on('response', (head) => (status = Number(head[':status'])));
    stream.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    stream.on('end', () => resolve({ status, text })).on('error', reject);
    stream.end(PING);
  });
}

it.each(['mcp.example.com', 'MCP.example.com:443'])('serves a request to an allowed host: %s', async (authority) => {
  const { status, text } = await post(authority);
  expect({ status, text }).toEqual({ status: 200, text: expect.stringContaining('noon') });
});

it.each(['evil.example', '127.0.0.1'])('refuses another host with 421: %s', async (authority) => {
  expect((await post(authority)).status).toBe(421);
});

it('is not deceived by a Host header beside the authority', async () => {
  expect((await post('evil.example', { host: 'mcp.example.com' })).status).toBe(421);
});

it('serves several requests of one connection at once', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => post('mcp.example.com')));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
});
