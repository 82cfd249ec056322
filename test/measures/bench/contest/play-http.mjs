/** Calls over HTTP, way by way. */
import { OVER_HTTP } from './contestants.mjs';
import { playSessions } from './play-sessions.mjs';
import { playRounds, warmUp } from './rounds.mjs';
import { HttpConnection, startServer } from './http-connection.mjs';
import { callIn, dataOf, startClocks, CONNECTIONS, HTTP_WAYS, nameOf, ALONE } from './messages.mjs';

const ALONE_HEADERS = { 'mcp-protocol-version': ALONE, 'mcp-method': 'tools/call', 'mcp-name': 'add' };

/** @returns each way with the figures of all contestants, and what an open session takes of each */
export async function playHttp({ rounds, seconds }) {
  const ways = [];
  for (const way of HTTP_WAYS) ways.push(...(await playWay(way, { rounds, seconds })));
  return { ways, sessions: await playSessions() };
}

async function playWay(way, { rounds, seconds }) {
  const servers = [];
  try {
    for (const contestant of OVER_HTTP) servers.push(await startServer(contestant, way));
    for (const server of servers) await warmUp(() => loadHttp(server, { connections: CONNECTIONS[0], seconds }));
    const played = [];
    for (const connections of CONNECTIONS) {
      const contestants = await playRounds(servers, rounds, (server) => loadHttp(server, { connections, seconds }));
      played.push({ name: nameOf({ ...way, connections }), stream: way.stream, contestants });
    }
    return played;
  } finally {
    await Promise.all(servers.map(({ process }) => process.stop()));
  }
}

/**
 * Calls for some seconds. In sessions each connection has its own, opened before and used again by the next load.
 * @param {{ port: number, pid: number, conversation: string, sessions: object[] }} server
 */
async function loadHttp(server, { connections: count, seconds }) {
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
