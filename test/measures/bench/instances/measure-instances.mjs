/** What it costs to be one of several instances: calls of sessions, the way of an answer, and how throughput grows with processes. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compileServer } from '../compile-server.mjs';
import { load, ServerProcess } from '../http/server-process.mjs';
import { median } from '../median.mjs';
import { measureHop } from './measure-hop.mjs';
import { startRedisServer } from '../redis-server.mjs';
import { callAlone, callInSession, openSession, streamedCall } from './requests.mjs';

const report = new URL('../http/report-memory.mjs', import.meta.url).href;
const source = readFileSync(fileURLToPath(new URL('./server.ts', import.meta.url)), 'utf8');
const CONCURRENCY = 64;

/** @returns undefined where there is no Redis on this machine */
export async function measureInstances({ rounds, seconds }) {
  const redis = await startRedisServer();
  if (!redis) return undefined;
  const program = compileServer('instance', source);
  const start = (env, core) => ServerProcess.start(program, [report], { env, core });
  const shared = { REDIS_URL: redis.url };
  const servers = {
    memory: await start({}, 0),
    'node-redis': await start({ ...shared, CLIENT: 'node-redis' }, 0),
    ioredis: await start({ ...shared, CLIENT: 'ioredis' }, 0),
    other: await start({ ...shared, CLIENT: 'node-redis' }, 1),
  };
  try {
    const calls = await measureCalls(servers, { rounds, seconds, jobOf: callInSession });
    const streamed = await measureCalls(servers, { rounds, seconds, jobOf: streamedCall });
    const hop = await measureHop(servers['node-redis'].port, servers.other.port);
    return { calls, streamed, hop, growth: await measureGrowth(start, { rounds, seconds }) };
  } finally {
    await Promise.all(Object.values(servers).map((server) => server.stop()));
    await redis.stop();
  }
}

/** A session for each connection: calls of one that run at the same time need ids of their own. */
function openSessions(port) {
  return Promise.all(Array.from({ length: CONCURRENCY }, () => openSession(port)));
}

/** In each round all of them, one after the other. */
async function measureCalls({ memory, 'node-redis': nodeRedis, ioredis }, { rounds, seconds, jobOf }) {
  const series = [
    { name: 'memory', server: memory },
    { name: 'Redis, node-redis', server: nodeRedis },
    { name: 'Redis, ioredis with auto pipelining', server: ioredis },
  ].map((each) => ({ ...each, rates: [], costs: [] }));
  for (const each of series) each.job = jobOf(await openSessions(each.server.port));
  for (let round = 0; round < rounds; round++)
    for (const { server, job, rates, costs } of series) {
      const asked = { port: server.port, path: '/mcp', concurrency: CONCURRENCY, ...job };
      await load({ ...asked, seconds: seconds / 2 });
      const before = await server.cpu();
      const { rate, calls, failed } = await load({ ...asked, seconds });
      costs.push(((await server.cpu()) - before) / calls);
      if (failed > 0) throw new Error(`${failed} calls failed`);
      rates.push(rate);
    }
  return series.map(({ name, rates, costs }) => ({
    name,
    rate: median(rates),
    cost: median(costs),
    share: median(rates.map((rate, round) => rate / series[0].rates[round])),
  }));
}

/** Processes and loads share all cores of the machine: what grows is what is left for the processes. */
async function measureGrowth(start, { rounds, seconds }) {
  const processes = await Promise.all(Array.from({ length: 4 }, () => start({}, undefined)));
  const counts = [1, 2, 3, 4];
  const rates = new Map(counts.map((count) => [count, []]));
  try {
    for (let round = 0; round < rounds; round++)
      for (const count of counts) {
        const jobs = processes
          .slice(0, count)
          .map(({ port }) =>
            load(
              { port, path: '/mcp', concurrency: CONCURRENCY / count, seconds, core: undefined, ...callAlone() },
              undefined,
            ),
          );
        const figures = await Promise.all(jobs);
        rates.get(count).push(figures.reduce((sum, { rate }) => sum + rate, 0));
      }
  } finally {
    await Promise.all(processes.map((server) => server.stop()));
  }
  return counts.map((count) => ({ count, rate: median(rates.get(count)) }));
}
