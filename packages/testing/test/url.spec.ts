/** Connecting to a URL: the real app over real sockets, and endpoints that answer what they should not. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpApp } from '../../../test/programs/e2e/http-app';
import { until } from '../../../test/support/until';
import { RpcError, connect } from '@sigil-mcp/testing';
import { eachRevision } from '../../../test/support/each-revision';

const LAST_HANDSHAKE = '2025-11-25';
const NEWEST = '2026-07-28';

describe('the everything server', () => {
  let app: HttpApp;
  beforeAll(async () => void (app = await HttpApp.start('everything')));
  afterAll(() => app.stop());

  eachRevision('is met and called, over JSON and over streams', async ({ revision, connect }) => {
    const client = await connect(new URL(app.url));
    expect(client.revision).toBe(revision);
    expect(await client.callTool('test_simple_text')).toMatchObject({ isError: false });
    const streamed = { name: 'test_tool_with_progress', arguments: {}, _meta: { progressToken: 'p' } };
    expect(await client.request('tools/call', streamed)).toMatchObject({ isError: false });
    expect(client.notifications('notifications/progress')).toHaveLength(3);
    expect(client.stderr()).toBe('');
  });

  eachRevision('reports errors of every HTTP status', async ({ connect }) => {
    const client = await connect(app.url);
    await expect(client.request('no/such')).rejects.toMatchObject({ name: 'RpcError', code: -32601 });
    await expect(client.callTool('no_such')).rejects.toMatchObject({ code: -32602 });
  });

  eachRevision('is told again in headers what it wants to have there', async ({ connect }) => {
    const client = await connect(app.url);
    await client.listTools();
    for (const region of ['us-west1', '', ' Tromsø ', '=?base64?x?='])
      expect(await client.callTool('test_x_mcp_header', { region })).toMatchObject({
        content: [{ text: `Served in ${JSON.stringify(region)}.` }],
      });
    expect(await client.readResource('test://static-text')).toMatchObject({ contents: [{}] });
  });

  eachRevision('may let a connection go, and the client comes back', async ({ connect }) => {
    const client = await connect(app.url);
    expect(await client.callTool('test_reconnection')).toMatchObject({ isError: false });
  });

  eachRevision(
    'may ask something for a batch',
    async ({ connect }) => {
      const client = await connect(app.url, { capabilities: { roots: {} }, answers: () => ({ roots: [] }) });
      const params = { name: 'test_input_required_result_list_roots', arguments: {} };
      const calls = [101, 102].map((id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params }));
      client.send(JSON.stringify(calls));
      const answered = (id: number) =>
        client.traffic.some(({ from, text }) => from === 'server' && text.includes(`"id":${id}`));
      await until(() => calls.every(({ id }) => answered(id)));
      expect(client.questions).toHaveLength(2);
    },
    { since: '2025-03-26', until: '2025-03-26' },
  );

  eachRevision(
    'speaks unasked on the stream of a session',
    async ({ connect }) => {
      const client = await connect(app.url);
      await client.callTool('test_trigger_tool_change');
      await until(() => client.notifications('notifications/tools/list_changed').length === 1);
    },
    { until: LAST_HANDSHAKE },
  );

  eachRevision('has ended the session of a client that closed', async ({ connect }) => {
    const client = await connect(app.url);
    await client.close();
    await expect(client.listTools()).rejects.toThrow('The client was closed.');
  });

  it('ends a session with DELETE', async () => {
    const client = await connect(app.url, { revision: LAST_HANDSHAKE });
    let session = '';
    const real = globalThis.fetch;
    const spied = jest.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
      session = new Headers(init?.headers).get('mcp-session-id') ?? '';
      return real(input, init);
    });
    await client.close();
    spied.mockRestore();
    const gone = await fetch(app.url, { headers: { accept: 'text/event-stream', 'mcp-session-id': session } });
    expect([session === '', gone.status]).toEqual([false, 404]);
  });

  it('is rid of a request whose response is closed, where that means cancel', async () => {
    const client = await connect(app.url, { revision: NEWEST });
    const { id, result } = client.start('tools/call', { name: 'test_tool_with_progress', arguments: {} });
    client.cancel(id);
    await expect(result).rejects.toThrow('The client cancelled request 2.');
    expect(client.traffic.at(-1)?.text).toContain('tools/call');
    await client.close();
  });
});

describe('an endpoint that', () => {
  let server: Server;
  let url: string;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  beforeAll(async () => {
    server = createServer((request, response) => answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('is no MCP server is quoted', async () => {
    answer = (_request, response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Nothing</h1>');
    await expect(connect(url)).rejects.toThrow(
      /HTTP status 404 and a body that is not a message \(text\/html\): "<h1>/,
    );
  });

  it('does not answer is named, with what is missing', async () => {
    answer = (_request, response) => response.writeHead(202).end();
    await expect(connect(url)).rejects.toThrow(
      'did not answer request 1 ("server/discover"): the response, HTTP status 202',
    );
    answer = (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing\n\n');
    await expect(connect(url)).rejects.toThrow('HTTP status 200, ended without it');
  });

  it('is not there is named, with the reason', async () => {
    await expect(connect('http://127.0.0.1:1/mcp')).rejects.toThrow(
      /127\.0\.0\.1:1\/mcp could not be reached: .+ Make the server listen there/,
    );
  });

  it('refuses with an error of JSON-RPC, with or without an id, gives an RpcError', async () => {
    for (const id of [null, 1]) {
      const error = { code: -32022, message: 'No.', data: { supported: [] } };
      answer = (_request, response) =>
        response
          .writeHead(400, { 'content-type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, error }));
      const refused = await connect(url).catch((reason: unknown) => reason);
      expect(refused).toBeInstanceOf(RpcError);
      expect(refused).toMatchObject(error);
    }
  });

  it('never answers is hung up at any time, before the request went out too', async () => {
    const open = new Set<ServerResponse>();
    answer = (request, response) => {
      if (request.headers['mcp-method'] === 'server/discover') return void answerWithoutSessions(request, response);
      open.add(response);
      response.on('close', () => open.delete(response));
    };
    const client = await connect(url);
    const early = client.start('tools/list');
    client.cancel(early.id);
    await expect(early.result).rejects.toThrow('The client cancelled request 2.');
    const late = client.start('tools/list');
    await until(() => open.size === 1);
    client.hangUp(late.id);
    await expect(late.result).rejects.toThrow('The client closed the connection of request 3.');
    await until(() => open.size === 0);
    await client.close();
  });

  it('has neither sessions nor a stream of its own is served as well', async () => {
    answer = (request, response) => void answerWithoutSessions(request, response);
    const client = await connect(url, { revision: '2025-06-18' });
    expect(await client.request('ping')).toEqual({ version: '2025-06-18' });
    await client.close();
  });

  it('refuses the notification of a client fails to connect', async () => {
    answer = (request, response) => void answerWithoutSessions(request, response, 500);
    await expect(connect(url, { revision: LAST_HANDSHAKE })).rejects.toThrow('HTTP status 500');
  });
});

async function answerWithoutSessions(request: IncomingMessage, response: ServerResponse, noticed = 202): Promise<void> {
  if (request.method !== 'POST') return void response.writeHead(405).end();
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const { id, params } = JSON.parse(body) as { id?: number; params?: { protocolVersion?: string } };
  if (id === undefined) return void response.writeHead(noticed).end();
  const hello = { protocolVersion: params?.protocolVersion, supportedVersions: [NEWEST], capabilities: {} };
  const result = id === 1 ? hello : { version: request.headers['mcp-protocol-version'] };
  const message = JSON.stringify({ jsonrpc: '2.0', id, result });
  // Line ends of every kind, and a comment between.
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`: hello\r\n\r\nevent: message\r\ndata: ${message}\r\n\r\n`);
}
