/**
 * Plays calls against one of several instances that share a Redis. The others are in one process on the other core, with the load and Redis.
 * Prints the microseconds of CPU of that instance at each point as JSON. `node play-instances.mjs '<json: rounds, warmUp>'`
 */
import { once } from 'node:events';
import { get } from 'node:http';
import { fileURLToPath } from 'node:url';
import { ServerProcess } from '../http/server-process.mjs';
import { startRedisServer } from '../redis-server.mjs';
import { openSession, requestOf, Connections } from '../tokens/requests.mjs';
import { CHARTS } from './charts.mjs';
import { playRounds } from './rounds.mjs';

const path = '/mcp';
const CONNECTIONS = 8;
const CALLS = 160;
const INSTANCE = fileURLToPath(new URL('./instance.mjs', import.meta.url));

const redis = await startRedisServer();
if (!redis) throw new Error('There is no redis-server on this machine.');
const started = [];
try {
  const points = [];
  for (const count of CHARTS.find(({ name }) => name === 'instances').points) points.push(...(await pointsOf(count)));
  process.stdout.write(JSON.stringify(await playRounds(points, JSON.parse(process.argv[2] ?? '{}'))));
} finally {
  await Promise.all(started.map((server) => server.stop()));
  await redis.stop();
}
process.exit();

async function pointsOf(count) {
  const namespace = `growth${count}`;
  const server = await start(namespace, 1, 0);
  const last = count === 1 ? server : await start(namespace, count - 1, 1);
  await subscribe(last.port);
  const connections = await Connections.open(server.port, CONNECTIONS);
  const session = await openSession(server.port, { path });
  const point = (series, params) => ({
    key: `instances ${series} ${count}`,
    async play() {
      const request = requestOf({ method: 'tools/call', params, path, session });
      const before = await server.cpu();
      await connections.send(new Array(CALLS).fill(request), checkAnswer);
      return ((await server.cpu()) - before) / CALLS;
    },
  });
  return [
    point('call', { name: 'tool0', arguments: { city: 'Oslo', days: 3 } }),
    point('change', { name: 'change', arguments: {} }),
  ];
}

async function start(namespace, count, core) {
  const server = await ServerProcess.start(INSTANCE, [redis.url, namespace, String(count)], { core });
  started.push(server);
  return server;
}

/** A session with a stream that is read, and a subscription. */
async function subscribe(port) {
  const session = await openSession(port, { path });
  const headers = { accept: 'text/event-stream', 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' };
  const [response] = await once(get({ host: '127.0.0.1', port, path, headers }), 'response');
  response.resume();
  const connections = await Connections.open(port, 1);
  const params = { uri: 'item://0' };
  await connections.send([requestOf({ method: 'resources/subscribe', params, path, session })], checkAnswer);
  connections.close();
}

function checkAnswer({ head }) {
  if (head.includes('"isError":true') || head.includes('"error":')) throw new Error(`A call failed: ${head}`);
}
