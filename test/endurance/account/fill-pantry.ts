/** Fills a server with one kind of thing, of some clients at the same time, and looks at what became of it and of others. */
import { compileFixture } from '../../support/compile-fixture';
import { settled } from '../../support/watched/settled';
import { WatchedServer } from '../../support/watched/watched-server';
import { join } from 'node:path';
import type { Hoard, Portion } from './hoards';
import { Visitor } from './visitor';

/** A process, and the limits of its server. */
export interface PantryInit {
  /** Megabytes of heap. */
  readonly heap: number;
  readonly limits: object;
  readonly endpoint: object;
}

/** Starts a server. */
export function openPantry({ heap, limits, endpoint }: PantryInit): Promise<WatchedServer> {
  const env = { LIMITS: JSON.stringify(limits), ENDPOINT_LIMITS: JSON.stringify(endpoint) };
  return WatchedServer.startHttp(compileFixture(join(__dirname, 'pantry.ts')), {
    flags: [`--max-old-space-size=${heap}`],
    env,
  });
}

/** What became of it. */
export interface Filled {
  readonly hoard: Hoard;
  readonly clients: number;
  /** The limits that were named in refusals. */
  readonly limits: readonly string[];
  /** Bytes of the kind at the end, and of all. */
  readonly held: number;
  readonly all: number;
  /** Milliseconds until another client had its answer; undefined if it had none. */
  readonly answeredAfter: number | undefined;
  /** The answer of the other client. */
  readonly answer: string;
  /** How the process has ended; undefined if it lives. */
  readonly ended: string | undefined;
}

/** The client that only wants to work. */
const OTHER = '127.0.0.250';

interface Health {
  readonly memory: { readonly held: { readonly bytes: number }; readonly kinds: Readonly<Record<string, number>> };
}

/** Fills it, until each client was refused, or has tried as often as it may. */
export async function fillPantry(
  server: WatchedServer,
  hoard: Hoard,
  count: number,
  portion: Portion,
): Promise<Filled> {
  const visitors = Array.from({ length: count }, (_, index) => new Visitor(server.url, `127.0.0.${2 + index}`));
  const most = Math.ceil(hoard.most / Math.sqrt(count));
  await Promise.all(
    visitors.map(async (visitor) => {
      for (let number = 0; number < most && visitor.limits.size === 0 && server.ended === undefined; number += 1)
        await hoard.add(visitor, portion, number);
    }),
  );
  const other = new Visitor(server.url, OTHER);
  const began = performance.now();
  const reply = server.ended === undefined ? await other.call('echo', { word: 'still there' }) : undefined;
  const answeredAfter = reply && reply.status !== 0 ? performance.now() - began : undefined;
  const memory = server.ended === undefined ? await memoryOf(server) : undefined;
  for (const visitor of [...visitors, other]) visitor.leave();
  return {
    hoard,
    clients: count,
    limits: [...new Set(visitors.flatMap(({ limits }) => [...limits]))].sort(),
    held: memory?.kinds[hoard.kind] ?? 0,
    all: memory?.held.bytes ?? 0,
    answeredAfter,
    answer: reply?.text ?? '',
    ended: server.ended,
  };
}

async function memoryOf(server: WatchedServer): Promise<Health['memory']> {
  const read = await fetch(new URL('/healthz', server.url));
  return ((await read.json()) as Health).memory;
}

/** Waits until the server holds next to nothing of a kind that ends with its connections. */
export function emptied(server: WatchedServer, kind: string): Promise<boolean> {
  let bytes = Infinity;
  const look = (): boolean => {
    void memoryOf(server).then(({ kinds }) => (bytes = kinds[kind] ?? 0));
    return bytes < 64 * 1024;
  };
  return settled(look, 10_000);
}
