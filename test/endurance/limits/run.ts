/**
 * `npm run limits`: measures what clients make a server hold, thing by thing, beside what it is counted as, and writes the table of
 * docs/limits.md. Exit code 1 where something costs more than it is counted as.
 */
import { Agent, request } from 'node:http';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WEIGHTS } from '@sigil-mcp/core/internal';
import { weightOfValue } from '@sigil-mcp/protocol';
import { callOf, headersOf } from '../faults/fault';
import { hostile } from '../faults/process-faults';
import { settled } from '../../support/watched/settled';
import { WatchedServer } from '../../support/watched/watched-server';

const PAGE = join(__dirname, '..', '..', '..', 'docs', 'limits.md');
const [BEGIN, END] = ['<!-- limits: written by `npm run limits` -->', '<!-- /limits -->'];
/** Things of each kind. */
const MANY = 800;

const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const address = (index: number): string => `127.0.0.${2 + (index % 4)}`;

interface Measured {
  readonly what: string;
  /** Bytes of heap of one of them. */
  readonly cost: number;
  /** Bytes that one is counted as. */
  readonly counted: number;
}

/** A server, and the clients that lean on it. */
class Bench {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: Infinity });

  constructor(readonly server: WatchedServer) {}

  /** Sends one request; resolves to the head of its answer, or at once where none is to come. */
  send(index: number, options: { method?: string; body?: string; headers: Record<string, string>; waits?: boolean }) {
    const { method = 'POST', body, headers, waits = false } = options;
    return new Promise<Record<string, string | string[] | undefined>>((resolve) => {
      const sent = request(
        this.server.url,
        { method, headers, localAddress: address(index), agent: this.#agent },
        (response) => {
          resolve(response.headers);
          response.resume();
        },
      );
      sent.on('error', () => resolve({}));
      sent.end(body, () => waits && resolve({}));
    });
  }

  /** Bytes of heap for each of many things. */
  async costOf(make: (index: number) => Promise<unknown>): Promise<number> {
    // The first ones pay for what all of them share.
    for (let index = 0; index < 20; index += 1) await make(index);
    await settled(() => false, 300);
    const before = (await this.server.collect()).heapUsed;
    for (let index = 0; index < MANY; index += 1) await make(index);
    await settled(() => false, 1000);
    const { heapUsed } = await this.server.collect();
    return (heapUsed - before) / MANY;
  }

  leave(): void {
    this.#agent.destroy();
  }
}

const hello = (capabilities: object): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'limits', version: '1' } },
  });

const SMALL_BAG = Array.from({ length: 40 }, () => ({ a: 1 }));
const LARGE_BAG = Array.from({ length: 5000 }, (_, index) => ({ id: index, name: `Item ${index}` }));

async function openSession(bench: Bench, index: number, capabilities: object): Promise<Record<string, string>> {
  const head = await bench.send(index, { body: hello(capabilities), headers: JSON_HEADERS });
  return { ...JSON_HEADERS, 'mcp-session-id': String(head['mcp-session-id']) };
}

/** One kind of thing: how it is made, and what each is counted as. */
interface Kind {
  readonly what: string;
  readonly counted: number;
  readonly make: (bench: Bench, index: number) => Promise<unknown>;
  /** Arguments of the server. */
  readonly args?: readonly string[];
}

function call(what: string, bag: unknown): Kind {
  const message = callOf('wait', {}, { 'com.example/bag': bag });
  const body = JSON.stringify(message);
  const weight = body.length <= 1024 ? 28 * body.length : weightOfValue(JSON.parse(body));
  const send: Kind['make'] = (bench, index) => bench.send(index, { body, headers: headersOf(message), waits: true });
  return { what, counted: WEIGHTS.call + weight, make: send };
}

/** The same in sessions, one for each client. */
function callInSession(what: string, observers: number): Kind {
  const sessions = new Map<number, Promise<Record<string, string>>>();
  const message = (id: number): object => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'wait' } });
  const make: Kind['make'] = async (bench, index) => {
    const mine = index % 100;
    if (!sessions.has(mine)) sessions.set(mine, openSession(bench, mine, {}));
    const headers = (await sessions.get(mine)) ?? JSON_HEADERS;
    return bench.send(mine, { body: JSON.stringify(message(index)), headers, waits: true });
  };
  const weight = 28 * JSON.stringify(message(100)).length;
  return {
    what,
    counted: WEIGHTS.call + observers * WEIGHTS.observed + weight,
    make,
    args: observers ? ['--observed'] : [],
  };
}

const FACTS = { experimental: Object.fromEntries(Array.from({ length: 95 }, (_, index) => [`x${index}`, {}])) };
const facts = (capabilities: object): number => weightOfValue({ name: 'limits', version: '1', capabilities });

const KINDS: readonly Kind[] = [
  call('a call that waits, with few arguments', null),
  call('a call that waits, with 40 small objects', SMALL_BAG),
  callInSession('a call that waits in a session', 0),
  callInSession('the same with audit and telemetry', 2),
  {
    what: 'a session of a client that says little of itself',
    counted: WEIGHTS.session + facts({}),
    make: (bench, index) => openSession(bench, index, {}),
  },
  {
    what: 'a session of a client that says as much as it may',
    counted: WEIGHTS.session + facts(FACTS),
    make: (bench, index) => openSession(bench, index, FACTS),
  },
  {
    what: 'a session with an open stream',
    counted: WEIGHTS.session + facts({}) + WEIGHTS.stream,
    make: async (bench, index) => {
      const headers = await openSession(bench, index, {});
      await bench.send(index, { method: 'GET', headers: { ...headers, accept: 'text/event-stream' } });
    },
  },
  {
    what: 'a subscription with a URI of 50 characters',
    counted: WEIGHTS.subscription + 2 * 50,
    make: (() => {
      const sessions = new Map<number, Promise<Record<string, string>>>();
      return async (bench, index) => {
        const mine = index % 4;
        if (!sessions.has(mine)) sessions.set(mine, openSession(bench, mine, {}));
        const headers = (await sessions.get(mine)) ?? JSON_HEADERS;
        const uri = `hostile://things/${'k'.repeat(30)}${index}`;
        const params = { uri };
        await bench.send(mine, {
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'resources/subscribe', params }),
          headers,
        });
      };
    })(),
  },
];

async function measure({ what, counted, make, args = [] }: Kind): Promise<Measured> {
  const server = await WatchedServer.startHttp(hostile(), { args });
  const bench = new Bench(server);
  try {
    return { what, counted, cost: await bench.costOf((index) => make(bench, index)) };
  } finally {
    bench.leave();
    await server.end();
  }
}

/** A request of a megabyte costs what its values cost, and that is measured by itself. */
async function measureLarge(): Promise<Measured> {
  const { make, counted, what } = call('a call that waits, with 5,000 rows of two members', LARGE_BAG);
  const server = await WatchedServer.startHttp(hostile());
  const bench = new Bench(server);
  for (let index = 0; index < 4; index += 1) await make(bench, index);
  await settled(() => false, 500);
  const before = (await server.collect()).heapUsed;
  for (let index = 0; index < 40; index += 1) await make(bench, index);
  await settled(() => false, 2000);
  const { heapUsed } = await server.collect();
  bench.leave();
  await server.end();
  return { what, counted, cost: (heapUsed - before) / 40 };
}

const kilobytes = (bytes: number): string => (bytes / 1024).toFixed(1);

async function main(): Promise<number> {
  const rows: Measured[] = [];
  for (const kind of KINDS) rows.push(await measure(kind));
  rows.push(await measureLarge());
  const lines = rows.map(({ what, cost, counted }) => `| ${what} | ${kilobytes(cost)} | ${kilobytes(counted)} |`);
  const table = ['| what one client holds | measured, KiB of heap | counted, KiB |', '| --- | --- | --- |', ...lines];
  process.stdout.write(`${table.join('\n')}\n`);
  if (!process.argv.includes('--check')) {
    const page = readFileSync(PAGE, 'utf8');
    const [before = '', rest = ''] = page.split(BEGIN);
    writeFileSync(PAGE, `${before}${BEGIN}\n\n${table.join('\n')}\n\n${rest.slice(rest.indexOf(END))}`);
  }
  const dear = rows.filter(({ cost, counted }) => cost > counted);
  for (const { what } of dear) process.stdout.write(`NOT AS COUNTED: ${what} costs more than it is counted as\n`);
  return dear.length === 0 ? 0 : 1;
}

void main().then((code) => process.exit(code));
