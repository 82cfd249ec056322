/** What a server must refuse: a server that checks less than another one is not faster than it. */
import { request } from 'node:http';
import { messageIn } from '../load/calls.mjs';

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
/** The first revision with a header for the revision is 2025-06-18. */
const OPENING = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1.0' } },
};
const LIST = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
const WRONG_CALL = {
  jsonrpc: '2.0',
  id: 3,
  method: 'tools/call',
  params: { name: 'search_products', arguments: { limit: 'many' } },
};

/** @returns the refusals that a server should give and does not */
export async function missingRefusals(port, hasSessions) {
  const opened = await post(port, {}, OPENING);
  const session = hasSessions ? { 'mcp-session-id': opened.headers['mcp-session-id'] } : {};
  const expected = [
    ['a strange Host', { ...session, host: 'evil.example' }, 421],
    ['a strange Origin', { ...session, origin: 'https://evil.example' }, 403],
    ['a client that accepts neither JSON nor event streams', { ...session, accept: 'text/html' }, 406],
    ['an unknown revision', { ...session, 'mcp-protocol-version': '1999-01-01' }, 400],
    ...(hasSessions ? [['an unknown session', { 'mcp-session-id': 'unknown' }, 404]] : []),
  ];
  const missing = [];
  for (const [what, headers, status] of expected)
    if ((await post(port, headers, LIST)).status !== status) missing.push(what);
  const { message } = await post(port, session, WRONG_CALL);
  if (message?.result?.isError !== true && message?.error === undefined) missing.push('wrong arguments');
  return missing;
}

function post(port, headers, message) {
  return new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', path: '/mcp', method: 'POST', headers: { ...HEADERS, ...headers } };
    const sent = request(options, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => {
        const { statusCode: status, headers: received } = response;
        resolve({ status, headers: received, message: messageIn(Buffer.concat(chunks)) });
      });
    });
    sent.on('error', reject).end(JSON.stringify(message));
  });
}
