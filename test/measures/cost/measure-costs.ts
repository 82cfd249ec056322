/**
 * What something costs a server over HTTP: the same server in several ways. All of them run at the same time and are measured in turn; what
 * counts is the CPU time of the server for a call, compared with that of the first way: in the same round, as a median, and in the best round of
 * each, which other work on the machine has disturbed least.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { join } from 'node:path';

const register = join(__dirname, '..', '..', '..', 'node_modules', 'esbuild-register', 'register.js');
/** Requests at the same time. */
const PARALLEL = 16;

/** What is measured. */
export interface Costs {
  /** The program of the server. Its first argument is the way; `reportTo` tells the rest. */
  readonly program: string;
  /** More of its arguments. */
  readonly words?: readonly string[];
  /** Way -> how the table names it; the others are compared with the first. */
  readonly ways: Readonly<Record<string, string>>;
  readonly rounds: number;
  /** Of each round. */
  readonly calls: number;
}

/** A server that runs. */
interface Measured {
  readonly child: ChildProcess;
  readonly url: string;
  readonly session: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: PARALLEL });
const ACCEPT = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

/** Sends one message. @returns the id of the session, if there is a new one */
function post(url: string, message: object, session: Readonly<Record<string, string>> = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers: { ...ACCEPT, ...session } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`Status ${response.statusCode}`));
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => {
        if (/"isError":true|"error":/.test(text)) reject(new Error(text));
        resolve(String(response.headers['mcp-session-id']));
      });
    });
    sent.on('error', reject).end(JSON.stringify(message));
  });
}

async function start(way: string, { program, words = [] }: Costs): Promise<Measured> {
  const child = fork(program, [way, ...words], { execArgv: ['--require', register] });
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  const clientInfo = { name: 'load', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  return { child, url, session: await post(url, { jsonrpc: '2.0', id: 0, method: 'initialize', params }) };
}

/** CPU microseconds of the server so far. */
async function cpuOf({ child }: Measured): Promise<number> {
  child.send('cpu');
  const [{ user, system }] = (await once(child, 'message')) as [NodeJS.CpuUsage];
  return user + system;
}

/** @returns CPU microseconds of the server for a call */
async function measure(server: Measured, count: number): Promise<number> {
  const before = await cpuOf(server);
  let id = 0;
  const params = { name: 'forecast', arguments: { city: 'Oslo', days: 3, units: 'celsius' } };
  const work = async (): Promise<void> => {
    while (id < count)
      await post(
        server.url,
        { jsonrpc: '2.0', id: (id += 1), method: 'tools/call', params },
        { 'mcp-session-id': server.session },
      );
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return ((await cpuOf(server)) - before) / count;
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** Measures, and prints a line for each way. */
export async function measureCosts(costs: Costs): Promise<void> {
  const { ways, rounds, calls } = costs;
  const servers = await Promise.all(Object.keys(ways).map((way) => start(way, costs)));
  const times = servers.map((): number[] => []);
  for (const server of servers) await measure(server, calls);
  for (let round = 0; round < rounds; round += 1)
    for (const [index, server] of servers.entries()) times[index]?.push(await measure(server, calls));
  for (const { child } of servers) {
    child.kill();
    await once(child, 'exit');
  }
  agent.destroy();
  const best = times.map((each) => Math.min(...each));
  for (const [index, name] of Object.values(ways).entries()) {
    const shares = (times[index] ?? []).map((time, round) => time / (times[0]?.[round] ?? 1));
    const cost = `${median(times[index] ?? []).toFixed(1)} µs of CPU a call, ${percent(median(shares))} more`;
    const least = best[index] ?? 0;
    process.stdout.write(
      `${name.padEnd(36)} ${cost}; best round ${least.toFixed(1)} µs, ${percent(least / (best[0] ?? 1))} more\n`,
    );
  }
}

/** What something takes more. */
function percent(share: number): string {
  return `${((share - 1) * 100).toFixed(1)} %`;
}

/** What the program of a server does when it listens: it sends its URL, and its CPU time when it is asked. */
export function reportTo(url: string | undefined): void {
  process.on('message', () => process.send?.(process.cpuUsage()));
  process.send?.({ url });
}
