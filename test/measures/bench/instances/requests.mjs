/** What is sent to the instances. */
const MANNERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const FORECAST = { name: 'forecast', arguments: { city: 'Oslo', days: 3 } };
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Posts a message; the response of `fetch`. */
export function post(port, body, headers = {}, path = '/mcp') {
  const message = JSON.stringify({ jsonrpc: '2.0', ...body });
  return globalThis.fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { ...MANNERS, ...headers },
    body: message,
  });
}

/** Opens a session as a client that can be asked. Returns the header of its requests. */
export async function openSession(port) {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: {} },
    clientInfo: { name: 'bench', version: '1.0.0' },
  };
  const response = await post(port, { id: 0, method: 'initialize', params });
  const session = { 'mcp-session-id': response.headers.get('mcp-session-id') };
  await post(port, { method: 'notifications/initialized' }, session);
  return session;
}

/** A call of sessions, for a load. */
export function callInSession(headers) {
  return { headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: FORECAST }) };
}

/** A call of sessions that is answered with a stream of five messages and its result. */
export function streamedCall(headers) {
  const params = { name: 'steps', arguments: {}, _meta: { progressToken: 1 } };
  return { headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }) };
}

/** A call of 2026-07-28, for a load. */
export function callAlone() {
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'forecast' };
  const params = { ...FORECAST, _meta: META };
  return { headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }) };
}
