/**
 * Plays what is about HTTP against servers on the other core: open sessions, and the sizes of arguments and results. Prints the
 * microseconds of the server's CPU of each point as JSON. `node play-http.mjs '<json: rounds, warmUp>'`
 */
import { fileURLToPath } from 'node:url';
import { ServerProcess } from '../http/server-process.mjs';
import { INITIALIZE, requestOf, Connections } from '../tokens/requests.mjs';
import { CHARTS, SIZES } from './charts.mjs';
import { loadServers } from './load-servers.mjs';
import { playRounds } from './rounds.mjs';

const { CONTENTS } = loadServers();
const path = '/mcp';
const CONNECTIONS = 8;
/** Calls of a block, as many as travel about as many bytes. */
const CALLS = { most: 160, least: 4, bytes: 2_000_000 };

const started = [];
try {
  const sessions = CHARTS.find(({ name }) => name === 'sessions');
  const points = [];
  for (const count of sessions.points) points.push(...(await sessionPoints(count)));
  points.push(...(await sizePoints()));
  process.stdout.write(JSON.stringify(await playRounds(points, JSON.parse(process.argv[2] ?? '{}'))));
} finally {
  await Promise.all(started.map(({ server }) => server.stop()));
}
process.exit();

async function start() {
  const server = await ServerProcess.start(fileURLToPath(new URL('./server.mjs', import.meta.url)));
  const entry = { server, connections: await Connections.open(server.port, CONNECTIONS) };
  started.push(entry);
  return entry;
}

/** Opens sessions. @returns their ids */
async function openSessions({ connections }, count) {
  const opening = requestOf({ method: 'initialize', params: INITIALIZE.params, path, session: 'none' });
  const request = Buffer.from(opening.toString().replace(/mcp-(session-id|protocol-version): .*\r\n/g, ''));
  const ids = [];
  await connections.send(new Array(count).fill(request), ({ head }) =>
    ids.push(/mcp-session-id: (\S+)/i.exec(head)[1]),
  );
  return ids;
}

async function sessionPoints(count) {
  const entry = await start();
  const params = { name: 'tool0', arguments: { city: 'Oslo', days: 3 } };
  const requests = (await openSessions(entry, count)).map((session) =>
    requestOf({ method: 'tools/call', params, path, session }),
  );
  return [
    pointOf(`sessions call ${count}`, entry, [requests.at(-1)]),
    pointOf(`sessions turns ${count}`, entry, requests),
  ];
}

async function sizePoints() {
  const entry = await start();
  const [session] = await openSessions(entry, 1);
  const point = (key, name, size, args) =>
    pointOf(key, entry, [requestOf({ method: 'tools/call', params: { name, arguments: args }, path, session })], size);
  return SIZES.flatMap((size) =>
    Object.entries(CONTENTS).flatMap(([what, make]) => [
      point(`arguments ${what} ${size}`, `take-${what}`, size, make(size)),
      point(`results ${what} ${size}`, `give-${what}`, size, { size }),
    ]),
  );
}

function pointOf(key, { server, connections }, requests, size = 0) {
  const count = Math.max(CALLS.least, Math.min(CALLS.most, Math.round(CALLS.bytes / size)));
  let next = 0;
  return {
    key,
    async play() {
      const block = Array.from({ length: count }, () => requests[(next = (next + 1) % requests.length)]);
      const before = await server.cpu();
      await connections.send(block, checkAnswer);
      return ((await server.cpu()) - before) / count;
    },
  };
}

/** What went wrong in a tool is a good response, and short. */
function checkAnswer({ head }) {
  if (head.includes('"isError":true') || head.includes('"error":')) throw new Error(`A call failed: ${head}`);
}
