/** The servers that are spoken to, each over one way. */
import { join } from 'node:path';
import { compileFixture } from '../../support/compile-fixture';
import { builtApp } from '../../programs/e2e/built-app';
import { ALONE_META, type Message } from '../../support/transcript';
import { settled } from '../../support/watched/settled';
import { WatchedServer } from '../../support/watched/watched-server';
import type { Way } from './traffic/conversation';
import { catalogRequests, readCatalog, type Catalog } from './traffic/catalog';

/** A program, and the way to it. */
export interface Target {
  readonly name: string;
  readonly way: Way;
  readonly program: () => string;
  /** Of all inputs, the part that goes to it. */
  readonly share: number;
  /** Whether it keeps the sessions of clients that left without a word, for longer than a test waits. */
  readonly isPatient?: boolean;
}

const hostile = (): string => compileFixture(join(__dirname, '..', '..', 'support', 'watched', 'hostile.ts'));
const everything = (): string => builtApp('everything');

/** All of them. */
export const TARGETS: readonly Target[] = [
  { name: 'memory', way: 'memory', program: hostile, share: 0.55 },
  { name: 'stdio', way: 'stdio', program: hostile, share: 0.12 },
  { name: 'http', way: 'http', program: hostile, share: 0.2 },
  { name: 'everything-stdio', way: 'stdio', program: everything, share: 0.03 },
  { name: 'everything-http', way: 'http', program: everything, share: 0.1, isPatient: true },
];

/** They go on until nobody listens, or return more than a run has time for: others try them one by one. */
const LEFT_OUT = ['flood', 'huge'];

/** Starts a server. */
export async function startTarget({ way, program }: Target): Promise<WatchedServer> {
  if (way === 'http') return WatchedServer.startHttp(program());
  return WatchedServer.start(program(), { args: way === 'memory' ? ['--memory'] : [] });
}

/** What a target offers: asked over stdio, which all of them speak. */
export async function catalogOf({ program }: Target): Promise<Catalog> {
  const server = WatchedServer.start(program());
  let text = '';
  server.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  const requests = catalogRequests(ALONE_META);
  for (const request of requests) server.stdin.write(`${JSON.stringify(request)}\n`);
  await settled(() => text.split('\n').length > requests.length || server.ended !== undefined, 20_000);
  await server.end();
  const answers = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Message);
  const catalog = readCatalog(answers);
  return { ...catalog, tools: catalog.tools.filter(({ name }) => !LEFT_OUT.includes(name)) };
}
