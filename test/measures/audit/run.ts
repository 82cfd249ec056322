/**
 * `npm run records`: what audit records in a file cost a call over HTTP, with and without a chain, beside the same server without them.
 * All servers run at the same time and are measured in turn; what counts is the CPU time of the server for a call in the same round.
 * `npm run records 5 20000` measures 5 rounds of 20,000 calls.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const WAYS = ['off', 'idle', 'batch', 'chain batch', 'file', 'chain'] as const;
const register = join(__dirname, '..', '..', '..', 'node_modules', 'esbuild-register', 'register.js');
const [rounds = 7, calls = 10_000] = process.argv.slice(2).map(Number);
/** Requests at the same time. */
const PARALLEL = 16;
const NAMES = {
  off: 'without observers',
  idle: 'an observer that does nothing',
  batch: 'audit, file, batches',
  'chain batch': 'audit, file with a chain, batches',
  file: 'audit, file',
  chain: 'audit, file with a chain',
};

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

async function start(way: string, folder: string): Promise<Measured> {
  const child = fork(join(__dirname, 'server.ts'), [way, folder], { execArgv: ['--require', register] });
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

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sigil-audit-cost-'));
  const servers = await Promise.all(WAYS.map((way) => start(way, folder)));
  const times = WAYS.map((): number[] => []);
  for (const server of servers) await measure(server, calls);
  for (let round = 0; round < rounds; round += 1)
    for (const [index, server] of servers.entries()) times[index]?.push(await measure(server, calls));
  for (const { child } of servers) {
    child.kill();
    await once(child, 'exit');
  }
  agent.destroy();
  rmSync(folder, { recursive: true });
  for (const [index, way] of WAYS.entries()) {
    const shares = (times[index] ?? []).map((time, round) => time / (times[0]?.[round] ?? 1));
    const cost = `${median(times[index] ?? []).toFixed(1)} µs of CPU a call`;
    process.stdout.write(`${NAMES[way].padEnd(34)} ${cost}, ${((median(shares) - 1) * 100).toFixed(1)} % more\n`);
  }
}

void main();
