/**
 * `npm run soak -- 5`: five minutes of clients that abandon, reset, stop reading, resume and never answer, while tools come and
 * go. What the servers hold is counted at the start, after a third of the time and at the end; where something grew, it is named
 * and the exit code is 1.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { TARGETS, catalogOf } from '../fuzz/targets';
import { hostile } from '../faults/process-faults';
import { leftovers, megabytes } from '../../support/watched/leftovers';
import { WatchedServer, type Holdings } from '../../support/watched/watched-server';
import { visits, StdioClient } from './http-clients';

/** Clients at the same time. */
const CLIENTS = 16;
/** Milliseconds after which the fixture has forgotten those that left without a word: a question gives up, then a session is idle. */
const IDLE = 9000;
/** Milliseconds of the same traffic before anything is counted: code is compiled and caches are filled by it. */
const WARM_UP = 5000;

/** From the start, and from one look to the next. */
const SINCE_START = { heap: 16 * 1024 * 1024, count: 8 };
const SINCE_A_THIRD = { heap: 4 * 1024 * 1024, count: 4 };

/** A server and what is done to it. */
interface Soaked {
  readonly name: string;
  readonly server: WatchedServer;
  /** Traffic for so many milliseconds; what it opened is closed, or will be by the server. */
  readonly work: (milliseconds: number) => Promise<void>;
  readonly sent: () => number;
}

async function main(): Promise<number> {
  const minutes = Number(process.argv.slice(2).find((argument) => /^[\d.]+$/.test(argument)) ?? 5);
  say(`${minutes} minutes`);
  const all = [await soakHttp(), soakStdio()];
  const problems = (await Promise.all(all.map((soaked) => soak(soaked, minutes * 60_000)))).flat();
  await Promise.all(all.map(({ server }) => server.end()));
  say(problems.length === 0 ? 'Nothing has grown.' : `It has grown:\n${problems.join('\n')}`);
  return problems.length === 0 ? 0 : 1;
}

async function soakHttp(): Promise<Soaked> {
  const target = TARGETS.find(({ name }) => name === 'http') ?? TARGETS[0]!;
  const server = await WatchedServer.startHttp(hostile());
  const all = visits(await catalogOf(target));
  let sent = 0;
  const client = async (end: number): Promise<void> => {
    while (performance.now() < end && server.ended === undefined) {
      await all[Math.floor(Math.random() * all.length)]?.(server).catch(() => undefined);
      sent++;
    }
  };
  const work = async (milliseconds: number): Promise<void> => {
    const end = performance.now() + milliseconds;
    await Promise.all(Array.from({ length: CLIENTS }, () => client(end)));
  };
  return { name: 'http', server, work, sent: () => sent };
}

function soakStdio(): Soaked {
  const server = WatchedServer.start(hostile());
  const client = new StdioClient(server);
  return { name: 'stdio', server, work: (milliseconds) => client.talk(milliseconds), sent: () => client.sent };
}

async function soak({ name, server, work, sent }: Soaked, milliseconds: number): Promise<string[]> {
  const looks: Holdings[] = [];
  for (const part of [WARM_UP, milliseconds / 3, (milliseconds * 2) / 3]) {
    await work(part);
    await delay(IDLE);
    if (server.ended !== undefined)
      return [`${name}: the process ended: ${server.ended}\n${server.stderr.slice(-2000)}`];
    looks.push(await server.collect());
  }
  const [start, third, end] = looks as [Holdings, Holdings, Holdings];
  say(`\n${name}: ${sent()} visits or messages\n${table(start, third, end)}`);
  const grown = [
    ...leftovers(start, end, SINCE_START).map((what) => `${what} (since the start)`),
    ...leftovers(third, end, SINCE_A_THIRD).map((what) => `${what} (since a third of the time)`),
  ];
  return grown.map((what) => `${name}: ${what}`);
}

function table(...looks: readonly [Holdings, Holdings, Holdings]): string {
  const line = (what: string, of: (look: Holdings) => string | number): string =>
    `${what.padEnd(32)}${looks.map((look) => String(of(look)).padStart(12)).join('')}`;
  const counted = (['handles', 'listeners', 'instances'] as const).flatMap((kind) => {
    const names = [...new Set(looks.flatMap((look) => Object.keys(look[kind])))];
    // What is there from the start and stays as it is tells nothing.
    const moving = names.filter(
      (each) => new Set(looks.map((look) => look[kind][each] ?? 0)).size > 1 || OF_CLIENTS.test(each),
    );
    return moving.map((each) => line(each, (look) => look[kind][each] ?? 0));
  });
  const head = ['', 'at the start', 'a third', 'at the end'];
  return [
    `${head[0]?.padEnd(32)}${head
      .slice(1)
      .map((word) => word.padStart(12))
      .join('')}`,
    line('heap', ({ heapUsed }) => megabytes(heapUsed)),
    ...counted,
  ].join('\n');
}

/** Shown though they do not move: one for each client, call, stream or question. */
const OF_CLIENTS =
  /^(Session|LocalRecord|SessionStreams|RequestStream|FollowedStream|EventStream|HttpExchange|RunningCalls|PendingAnswer|OpenQuestions|Timeout|ServerResponse)$/;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

void main().then((code) => process.exit(code));
