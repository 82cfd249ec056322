/** Calls over HTTP, way by way. */
import { OVER_HTTP } from './contestants.mjs';
import { loadHttp } from './http-load.mjs';
import { startServer } from './http-server.mjs';
import { playSessions } from './play-sessions.mjs';
import { playRounds, warmUp } from './rounds.mjs';
import { CONNECTIONS, HTTP_WAYS, nameOf } from './ways.mjs';

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
