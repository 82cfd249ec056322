/** Requests as they travel, with a token or without. */
const NEWEST = '2026-07-28';
const OF_SESSIONS = '2025-11-25';
const META = {
  'io.modelcontextprotocol/protocolVersion': NEWEST,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** What opens a session. */
export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: OF_SESSIONS, capabilities: {}, clientInfo: { name: 'bench', version: '1.0.0' } },
};

/**
 * Writes a request of the newest revision, or of a session.
 * @param {{ method: string, params: object, path: string, token?: string, session?: string }} request
 * @returns {Buffer}
 */
export function requestOf({ method, params, path, token, session }) {
  const message = { jsonrpc: '2.0', id: 1, method, params: session ? params : { ...params, _meta: META } };
  const body = JSON.stringify(message);
  const alone = {
    'mcp-protocol-version': NEWEST,
    'mcp-method': method,
    ...(params.name && { 'mcp-name': params.name }),
  };
  const lines = Object.entries({
    host: 'localhost',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(session ? { 'mcp-protocol-version': OF_SESSIONS, 'mcp-session-id': session } : alone),
    ...(token && { authorization: `Bearer ${token}` }),
    'content-length': Buffer.byteLength(body),
  }).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** Opens a session. @returns its id */
export async function openSession(port, { path, token }) {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(token && { authorization: `Bearer ${token}` }),
  };
  const body = JSON.stringify(INITIALIZE);
  const response = await globalThis.fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body });
  await response.text();
  return response.headers.get('mcp-session-id');
}
