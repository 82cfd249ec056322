/**
 * Plays all series against a server on the other core, each round in another order, and prints the figures of each round as JSON.
 * `node play.mjs '<json: rounds, calls, lists, tools>'`
 */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { ServerProcess } from '../http/server-process.mjs';
import { Connections } from './requests.mjs';
import { ALGORITHMS, seriesOf } from './series.mjs';

const { issuer } = createRequire(import.meta.url)('@sigil-mcp/testing');
const { rounds, calls, tools } = JSON.parse(process.argv[2] ?? '{}');
const resource = 'https://mcp.example.com/mcp';
/** Rounds before the figures count: code is compiled in them, and keys are fetched. */
const WARM_UP = 20;
/** Enough to keep a server busy. */
const CONNECTIONS = 8;

const id = await issuer({ audience: resource, algorithms: ALGORITHMS });
const started = [];
try {
  const server = await start('server.mjs', { issuer: id.url, resource, tools });
  const memory = await start('memory-lists.mjs', { tools, times: calls });
  const series = await seriesOf(id, server.port, (rounds + WARM_UP) * calls);
  const played = await playRounds(series, server, memory);
  const kept = series.map((each) => ({ ...each, requests: undefined }));
  process.stdout.write(JSON.stringify({ series: kept, rounds: played.slice(WARM_UP) }));
} finally {
  await Promise.all([id.close(), ...started.map((each) => each.stop())]);
}

async function start(name, options) {
  const program = fileURLToPath(new URL(name, import.meta.url));
  started.push(await ServerProcess.start(program, [JSON.stringify(options)]));
  return started.at(-1);
}

async function playRounds(series, server, memory) {
  const connections = await Connections.open(server.port, CONNECTIONS);
  const played = [];
  for (let round = 0; round < rounds + WARM_UP; round += 1) {
    const figures = {};
    for (const { name, requests } of shuffle(series)) {
      const block = Array.from({ length: calls }, (_, index) => requests[(round * calls + index) % requests.length]);
      const before = await server.cpu();
      await connections.send(block);
      figures[name] = ((await server.cpu()) - before) / calls;
    }
    played.push({ figures, memory: await memory.costs() });
  }
  connections.close();
  return played;
}

function shuffle(all) {
  return all
    .map((each) => [Math.random(), each])
    .sort(([one], [other]) => one - other)
    .map(([, each]) => each);
}
