/** What it costs to be one of several instances: calls of sessions, the way of an answer, and how throughput grows with processes. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compileServer } from '../compile-server.mjs';
import { load, ServerProcess } from '../http/server-process.mjs';
import { median } from '../report.mjs';
import { startRedisServer } from '../redis-server.mjs';

/** What is sent to the instances. */
const MANNERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

const FORECAST = { name: 'forecast', arguments: { city: 'Oslo', days: 3 } };

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

const ROUNDS = 300;

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

/**
 * A tool asks again and again; the time is that from an answer to the next question. Answers go to both instances in turn, so that the
 * difference of the two is the way between them.
 * @returns the middle and the 99th of 100, in milliseconds: of answers to the instance that asks, to the other one, and of their difference
 */
async function measureHop(asking, other) {
  const session = await openSession(asking);
  const call = { id: 1, method: 'tools/call', params: { name: 'ask' } };
  const response = await post(asking, call, session);
  const questions = readQuestions(response);
  const took = { [asking]: [], [other]: [] };
  let { value: id } = await questions.next();
  for (let round = 0; round < 2 * ROUNDS; round++) {
    const to = round % 2 === 0 ? asking : other;
    const began = performance.now();
    const answered = post(to, { id, result: { action: 'accept', content: { word: 'yes' } } }, session);
    ({ value: id } = await questions.next());
    took[to].push(performance.now() - began);
    await (await answered).arrayBuffer();
  }
  await globalThis.fetch(`http://127.0.0.1:${asking}/mcp`, { method: 'DELETE', headers: session });
  const [same, elsewhere] = [took[asking], took[other]].map((times) => times.slice(20).sort((one, two) => one - two));
  return { same: at(same), elsewhere: at(elsewhere), between: elsewhere[middle(elsewhere)] - same[middle(same)] };
}

async function* readQuestions(response) {
  let rest = '';
  for await (const chunk of response.body) {
    rest += Buffer.from(chunk).toString();
    const lines = rest.split('\n');
    rest = lines.pop();
    for (const line of lines) if (line.startsWith('data: {')) yield JSON.parse(line.slice(6)).id;
  }
}

function at(times) {
  return { middle: times[middle(times)], late: times[Math.floor(times.length * 0.99)] };
}

function middle(times) {
  return Math.floor(times.length / 2);
}

/** Posts a message; the response of `fetch`. */
function post(port, body, headers = {}, path = '/mcp') {
  const message = JSON.stringify({ jsonrpc: '2.0', ...body });
  return globalThis.fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { ...MANNERS, ...headers },
    body: message,
  });
}

/** Opens a session as a client that can be asked. Returns the header of its requests. */
async function openSession(port) {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: {} },
    clientInfo: { name: 'bench', version: '1.0.0' },
  };
  const response = await post(port, { id: 0, method: 'initialize', params });
  const session = { 'mcp-session-id': response.headers.get('mcp-session-id') };
  await post(port, { method: 'notifications/initialized' }, session);
  return session;
}

/** A call of sessions, for a load. */
function callInSession(headers) {
  return { headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: FORECAST }) };
}

/** A call of sessions that is answered with a stream of five messages and its result. */
function streamedCall(headers) {
  const params = { name: 'steps', arguments: {}, _meta: { progressToken: 1 } };
  return { headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }) };
}

/** A call of 2026-07-28, for a load. */
function callAlone() {
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'forecast' };
  const params = { ...FORECAST, _meta: META };
  return { headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }) };
}
