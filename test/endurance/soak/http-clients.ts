/** Clients over HTTP as they are: some finish, most do something that a server has to clean up after. */
import fc from 'fast-check';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { callOf, headersOf } from '../faults/fault';
import type { Catalog } from '../fuzz/traffic/catalog';
import { conversation } from '../fuzz/traffic/conversation';
import { REVISIONS, openingOf, type Revision } from '../fuzz/traffic/valid-messages';
import { playHttp } from '../fuzz/wires/http-talk';
import { ALONE_META, type Message } from '../../support/transcript';
import type { WatchedServer } from '../../support/watched/watched-server';

/** Messages that are sent before the next pause. */
const A_BURST = 40;

/** Questions are given up by the server after three seconds. */
const LONGEST_CALL = 4000;

/** Talks to a server until it is told to pause, and goes on when it is told to. */
export class StdioClient {
  #nextId = 0;
  #characters = 0;

  constructor(private readonly server: WatchedServer) {
    server.stdout.setEncoding('utf8').on('data', (text: string) => (this.#characters += text.length));
    this.#send(openingOf('2025-11-25'));
    this.#send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  /** Messages that were sent. */
  get sent(): number {
    return this.#nextId;
  }

  /** Talks for a while, milliseconds, and leaves nothing open. */
  async talk(milliseconds: number): Promise<void> {
    for (const end = performance.now() + milliseconds; performance.now() < end && this.server.ended === undefined;) {
      const first = this.#nextId;
      for (let count = 0; count < A_BURST; count++) this.#say();
      if (Math.random() < 0.2) this.server.stdout.pause();
      await delay(50 + Math.random() * 100);
      this.server.stdout.resume();
      for (let id = first; id < this.#nextId; id++)
        this.#send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
    }
    await delay(LONGEST_CALL);
  }

  #say(): void {
    const id = this.#nextId++;
    const calls = [
      { ...callOf('wait'), id },
      { ...callOf('report', { count: 9 }, { progressToken: id }), id },
      { ...callOf('loud', { count: 9 }, { 'io.modelcontextprotocol/logLevel': 'debug' }), id },
      { ...callOf('change'), id },
      { ...callOf('askMuch'), id },
      { ...callOf('fail'), id },
      { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'ask', arguments: {} } },
      { jsonrpc: '2.0', id, method: 'resources/subscribe', params: { uri: 'hostile://here' } },
      {
        jsonrpc: '2.0',
        id,
        method: 'subscriptions/listen',
        params: { notifications: { toolsListChanged: true }, _meta: ALONE_META },
      },
    ];
    this.#send(calls[id % calls.length] ?? {});
  }

  #send(message: object): void {
    this.server.stdin.write(`${JSON.stringify(message)}\n`);
  }
}

/** One visit of a client. */
type Visit = (server: WatchedServer) => Promise<void>;

const HANDSHAKES = REVISIONS.slice(0, 4);
const BOTH = 'application/json, text/event-stream';

/** What clients do, each with equal chances. */
export function visits(catalog: Catalog): readonly Visit[] {
  const generated = conversation(catalog, 'http', { least: 1, most: 8 });
  return [
    // Anything, in any revision: half of it broken.
    async (server) => void (await playHttp(server, fc.sample(generated, 1)[0]!, 5000)),
    abandonSession,
    resume,
    neverAnswer,
    subscribe,
    (server) => raw(server, callOf('wait'), { reset: true }),
    (server) => raw(server, callOf('flood', {}, { progressToken: 'p' }), { reset: false }),
    (server) =>
      raw(server, callOf('loud', { count: 64 }, { 'io.modelcontextprotocol/logLevel': 'debug' }), { reset: false }),
    (server) => raw(server, callOf('huge', { count: 4 }), { reset: true }),
    (server) => raw(server, listen, { reset: Math.random() < 0.5 }),
    async (server) => void (await send(server, callOf('change'), headersOf(callOf('change')))),
  ];
}

const listen: Message = {
  jsonrpc: '2.0',
  id: 'listen',
  method: 'subscriptions/listen',
  params: { notifications: { toolsListChanged: true, resourceSubscriptions: ['hostile://here'] }, _meta: ALONE_META },
};

/** Sends a request and reads nothing of what comes; then the client is gone, with or without a word. */
async function raw({ url }: WatchedServer, message: Message, { reset }: { reset: boolean }): Promise<void> {
  const socket = connect(Number(url.port), url.hostname);
  socket.on('error', () => undefined);
  socket.pause();
  const body = JSON.stringify(message);
  const head = Object.entries({ host: '127.0.0.1', ...headersOf(message), 'content-length': String(body.length) });
  const named = head.filter(([, value]) => value !== 'undefined');
  socket.write(
    `POST /mcp HTTP/1.1\r\n${named.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n${body}`,
  );
  await delay(100 + Math.random() * 300);
  // Node never frees a handle that is reset while it is being shut down.
  if (reset && socket.readyState === 'open' && !socket.writableEnded) socket.resetAndDestroy();
  else socket.destroy();
}

async function send({ url }: WatchedServer, message: object, headers: Record<string, string> = {}) {
  const all = { 'content-type': 'application/json', accept: BOTH, ...headers };
  const response = await fetch(url, { method: 'POST', headers: all, body: JSON.stringify(message) });
  return { session: response.headers.get('mcp-session-id') ?? '', text: await response.text() };
}

/** @returns the headers of a session that nobody closes but the server */
async function openSession(server: WatchedServer, revision: Revision): Promise<Record<string, string>> {
  const { session } = await send(server, openingOf(revision));
  const headers = { 'mcp-session-id': session };
  await send(server, { jsonrpc: '2.0', method: 'notifications/initialized' }, headers);
  return headers;
}

function anyHandshake(): Revision {
  return HANDSHAKES[Math.floor(Math.random() * HANDSHAKES.length)] ?? '2025-11-25';
}

async function abandonSession(server: WatchedServer): Promise<void> {
  const session = await openSession(server, anyHandshake());
  await send(server, inSession('report', { count: 20 }), session);
}

function inSession(name: string, args: object = {}): object {
  return {
    jsonrpc: '2.0',
    id: 7,
    method: 'tools/call',
    params: { name, arguments: args, _meta: { progressToken: 1 } },
  };
}

/** Breaks a stream off and takes it up again, and once more without reading it. */
async function resume(server: WatchedServer): Promise<void> {
  const session = await openSession(server, '2025-11-25');
  const { text } = await send(server, inSession('release'), session);
  const [, last = ''] = /id: (\S+)/.exec(text) ?? [];
  for (const patience of [2000, 20]) {
    const signal = AbortSignal.timeout(patience);
    const headers = { accept: 'text/event-stream', ...session, 'last-event-id': last };
    await fetch(server.url, { headers, signal })
      .then((response) => response.text())
      .catch(() => undefined);
  }
}

/** Is asked, and goes away: the answer is waited for until its time is over. */
async function neverAnswer(server: WatchedServer): Promise<void> {
  const session = await openSession(server, '2025-06-18');
  const headers = { 'content-type': 'application/json', accept: BOTH, ...session };
  const body = JSON.stringify(inSession('ask'));
  await fetch(server.url, { method: 'POST', headers, body, signal: AbortSignal.timeout(200) })
    .then((response) => response.text())
    .catch(() => undefined);
}

async function subscribe(server: WatchedServer): Promise<void> {
  const session = await openSession(server, anyHandshake());
  for (let id = 0; id < 5; id++)
    await send(
      server,
      { jsonrpc: '2.0', id, method: 'resources/subscribe', params: { uri: `hostile://things/${id}` } },
      session,
    );
  const signal = AbortSignal.timeout(300);
  await fetch(server.url, { headers: { accept: 'text/event-stream', ...session }, signal })
    .then((response) => response.text())
    .catch(() => undefined);
}
