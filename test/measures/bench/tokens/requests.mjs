import { connect } from 'node:net';
import { once } from 'node:events';
import { ResponseReader } from '../http/response-reader.mjs';

/** Several of them keep a server busy. */
export class Connections {
  static async open(port, count) {
    const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1').setNoDelay(true));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    return new Connections(sockets);
  }

  constructor(sockets) {
    this.sockets = sockets;
  }

  /**
   * Sends requests, on each connection one after the other, and waits until all are answered.
   * @param look is shown each answer, as `ResponseReader` has read it, and may throw
   */
  async send(requests, look = () => undefined) {
    const rest = requests.values();
    await Promise.all(this.sockets.map((socket) => sendRest(socket, rest, look)));
  }

  close() {
    for (const socket of this.sockets) socket.destroy();
  }
}

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

function sendRest(socket, requests, look) {
  return new Promise((resolve, reject) => {
    const reader = new ResponseReader();
    const end = (settle) => {
      socket.off('data', read).off('error', reject);
      settle();
    };
    const sendNext = () => {
      const { value, done } = requests.next();
      if (done) end(resolve);
      else socket.write(value);
    };
    const read = (chunk) => {
      if (!reader.push(chunk)) return;
      if (!reader.isOk) return end(() => reject(new Error(`A request failed: ${chunk.toString('latin1')}`)));
      try {
        look(reader);
      } catch (error) {
        return end(() => reject(error));
      }
      reader.reset();
      sendNext();
    };
    socket.on('data', read).on('error', reject);
    sendNext();
  });
}
