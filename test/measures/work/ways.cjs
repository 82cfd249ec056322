/** The ways to a server, each as a function that makes one call and resolves when it is answered. */
const { once } = require('node:events');
const { Agent, request } = require('node:http');
const { PassThrough } = require('node:stream');
const { StdioTransport } = require('@sigil-mcp/core/stdio');
const { HttpTransport } = require('@sigil-mcp/fastify');
const { createWorkServer } = require('./server.cjs');

const HANDSHAKE = '2025-11-25';
const NEWEST = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': NEWEST,
  'io.modelcontextprotocol/clientInfo': { name: 'work', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 'begin',
  method: 'initialize',
  params: { protocolVersion: HANDSHAKE, capabilities: {}, clientInfo: { name: 'work', version: '1.0.0' } },
};
const READY = { jsonrpc: '2.0', method: 'notifications/initialized' };

/** Numbers of one width, so that all calls of a way look alike. */
let id = 100_000;
const callOf = (name, meta) => {
  const params = { name, arguments: { a: id, b: 1 }, ...(meta && { _meta: META }) };
  return { jsonrpc: '2.0', id: ++id, method: 'tools/call', params };
};

async function overStdio(isNewest) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const server = createWorkServer();
  await server.listen(new StdioTransport({ input, output }));
  const exchange = async (message) => {
    const answered = once(output, 'data');
    input.write(`${JSON.stringify(message)}\n`);
    return String((await answered)[0]);
  };
  if (!isNewest) {
    await exchange(INITIALIZE);
    input.write(`${JSON.stringify(READY)}\n`);
  }
  return { call: (name) => exchange(callOf(name, isNewest)), close: () => server.close() };
}

/** @param isShort whether each call has a session of its own: opened, ready, ended */
async function overHttp(isNewest, stream, isShort = false) {
  const server = createWorkServer();
  const transport = new HttpTransport({ port: 0, host: '127.0.0.1', handleSignals: false, stream });
  await server.listen(transport);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let session = {};
  const send = async (method, message) => {
    const own = isNewest && { 'mcp-method': message.method, 'mcp-name': message.params?.name };
    const headers = {
      ...(message && { 'content-type': 'application/json' }),
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': isNewest ? NEWEST : HANDSHAKE,
      ...own,
      ...session,
    };
    const sent = request(transport.url, { method, agent, headers });
    sent.end(message && JSON.stringify(message));
    const [response] = await once(sent, 'response');
    let text = '';
    for await (const chunk of response) text += chunk;
    if (!session['mcp-session-id'] && response.headers['mcp-session-id'])
      session = { 'mcp-session-id': response.headers['mcp-session-id'] };
    return text;
  };
  const post = (message) => send('POST', message);
  const open = async () => {
    session = {};
    await post(INITIALIZE);
    await post(READY);
  };
  if (!isNewest) await open();
  const close = () => (agent.destroy(), server.close());
  const callAlone = async (name) => {
    await open();
    const answer = await post(callOf(name, isNewest));
    await send('DELETE');
    return answer;
  };
  return { call: isShort ? callAlone : (name) => post(callOf(name, isNewest)), close };
}

/** Name of a way -> opens it. */
exports.WAYS = {
  'stdio, handshake': () => overStdio(false),
  'stdio, 2026-07-28': () => overStdio(true),
  'HTTP JSON, session': () => overHttp(false, 'auto'),
  'HTTP JSON, 2026-07-28': () => overHttp(true, 'auto'),
  'HTTP JSON, a session of one call': () => overHttp(false, 'auto', true),
  'HTTP event stream, session': () => overHttp(false, 'always'),
  'HTTP event stream, 2026-07-28': () => overHttp(true, 'always'),
};
