/** Every official client, in each of its ways of meeting a server, over each transport: they judge what they are answered. */
import type { VersionNegotiationMode } from '@modelcontextprotocol/client';
import { builtApp } from './built-app';
import { HttpApp } from './http-app';
import type { AnswerAsked, OfficialClient } from './official-client';
import { connectClient2, spawnForClient2 } from './official-client-2';
import { connectSdk1, connectSdk1OverSse, spawnForSdk1 } from './official-sdk-1';

/** A client, and how it meets a server. */
export interface Judge {
  readonly title: string;
  readonly revision: string;
  readonly handshake: boolean;
  /** The code under which the client reports a missing resource; client 2 does so in the newest words always. */
  readonly notFound: number;
  /** Starts an app and meets it; closing the client ends the app. */
  open(app: string, program?: string): Promise<OfficialClient>;
}

/** One that starts the server itself. */
export interface StdioJudge extends Judge {
  spawn(program: string, answer?: AnswerAsked): Promise<OfficialClient>;
}

/** One that comes by URL. */
export interface HttpJudge extends Judge {
  connect(url: string, answer?: AnswerAsked): Promise<OfficialClient>;
}

const PER_REQUEST = '2026-07-28';
const HANDSHAKE = { revision: '2025-11-25', handshake: true };
const ALONE = { revision: PER_REQUEST, handshake: false };

const sdk1 = { ...HANDSHAKE, notFound: -32002 };
/** The ways of client 2. */
const ways: readonly { way: string; mode: VersionNegotiationMode; manners: Omit<Judge, 'title' | 'open'> }[] = [
  { way: 'handshake', mode: 'legacy', manners: { ...HANDSHAKE, notFound: -32602 } },
  { way: 'per request', mode: { pin: PER_REQUEST }, manners: { ...ALONE, notFound: -32602 } },
  { way: 'its own choice', mode: 'auto', manners: { ...ALONE, notFound: -32602 } },
];

/** Those that start the server themselves. */
export const stdioJudges: readonly StdioJudge[] = [
  { title: 'sdk 1 over stdio', ...sdk1, spawn: spawnForSdk1, open: starting(spawnForSdk1) },
  ...ways.map(({ way, mode, manners }): StdioJudge => {
    const spawn: StdioJudge['spawn'] = (program, answer) => spawnForClient2(program, mode, answer);
    return { title: `client 2 over stdio, ${way}`, ...manners, spawn, open: starting(spawn) };
  }),
];

/** Those that come to its endpoint. */
export const httpJudges: readonly HttpJudge[] = [
  { title: 'sdk 1 over HTTP', ...sdk1, connect: connectSdk1, open: serving(connectSdk1) },
  ...ways.map(({ way, mode, manners }): HttpJudge => {
    const connect: HttpJudge['connect'] = (url, answer) => connectClient2(url, mode, answer);
    return { title: `client 2 over HTTP, ${way}`, ...manners, connect, open: serving(connect) };
  }),
];

/** The one that still speaks the HTTP+SSE transport. */
export const sseJudge: HttpJudge = {
  title: 'sdk 1 over HTTP+SSE',
  ...sdk1,
  connect: connectSdk1OverSse,
  open: serving(connectSdk1OverSse),
};

/** All that an app can expect. */
export const judges: readonly Judge[] = [...stdioJudges, ...httpJudges];

function starting(spawn: StdioJudge['spawn']): Judge['open'] {
  return (app, program = 'main.js') => spawn(builtApp(app, program));
}

function serving(connect: HttpJudge['connect']): Judge['open'] {
  return async (app) => {
    const served = await HttpApp.start(app);
    const client = await connect(served.url);
    const close = async (): Promise<void> => {
      await client.close();
      await served.stop();
    };
    return { ...client, pid: served.pid, stderr: () => served.stderr(), close };
  };
}
