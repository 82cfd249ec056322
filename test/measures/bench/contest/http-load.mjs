/** Calls over HTTP, one on its way on each connection, and every answer checked. */
import { HttpConnection } from './http-connection.mjs';
import { startClocks } from './measured-time.mjs';
import { callIn, dataOf } from './messages.mjs';
import { ALONE } from './ways.mjs';

const ALONE_HEADERS = { 'mcp-protocol-version': ALONE, 'mcp-method': 'tools/call', 'mcp-name': 'add' };

/**
 * Calls for some seconds. In sessions each connection has its own, opened before and used again by the next load.
 * @param {{ port: number, pid: number, conversation: string, sessions: object[] }} server
 */
export async function loadHttp(server, { connections: count, seconds }) {
  const connections = await Promise.all(Array.from({ length: count }, () => HttpConnection.open(server.port)));
  try {
    const heads = [];
    for (const [index, connection] of connections.entries())
      heads.push(connection.headOf(await headersOf(server, connection, index)));
    return await callOnAll(connections, heads, { server, seconds });
  } finally {
    for (const connection of connections) connection.close();
  }
}

async function headersOf({ conversation, sessions }, connection, index) {
  if (conversation === ALONE) return ALONE_HEADERS;
  return (sessions[index] ??= await connection.openSession());
}

function callOnAll(connections, heads, { server: { pid, conversation }, seconds }) {
  const bodyOf = callIn(conversation);
  return new Promise((resolve, reject) => {
    let [id, answered, open] = [0, 0, connections.length];
    const until = performance.now() + seconds * 1000;
    const stopClocks = startClocks(pid);
    const call = (connection, head) => {
      const own = (id += 1);
      connection.post(head, bodyOf(own), ({ status, body }) => {
        if (status !== 200 || !body.includes(`"id":${own}`) || !body.includes(dataOf(own)))
          return reject(new Error(`call ${own} was answered with ${status}: ${body}`));
        answered += 1;
        if (performance.now() < until) return call(connection, head);
        open -= 1;
        if (open === 0) resolve(stopClocks(answered));
      });
    };
    connections.forEach((connection, index) => call(connection, heads[index]));
  });
}
