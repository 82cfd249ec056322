/** What clients make a server hold: a process with little memory, on the defaults of Sigil, whatever they send. */
import { Agent, request, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { settled } from '../../support/watched/settled';
import { WatchedServer } from '../../support/watched/watched-server';
import { callOf, expectMemoryBack, expectService, headersOf, type Fault, type Report } from './fault';
import { hostile } from './process-faults';

/** Megabytes of heap that the process has. */
const HEAP = 512;
/** An address of this machine for each client that is counted by itself. */
const addressOf = (client: number): string => `127.0.0.${2 + client}`;

/** A member of 3 megabytes of text and 70 of memory. */
const BOMB = `[${Array.from({ length: 1_000_000 }, () => '{}').join(',')}]`;
/** A member of 60 kilobytes of text and 1 megabyte of memory. */
const CRACKER = `[${Array.from({ length: 20_000 }, () => '{}').join(',')}]`;
/** What a client may say of itself at the most: about 15 kB of memory. */
const FACTS = Object.fromEntries(Array.from({ length: 95 }, (_, index) => [`x${index}`, {}]));

const CLIENT = { name: 'glutton', version: '1' };
const hello = (capabilities: object): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities, clientInfo: CLIENT },
  });

/** A call with a member that the tool does not want, which travels in its metadata. */
const heavy = (name: string, member: string): string =>
  JSON.stringify(callOf(name, {}, { 'com.example/bag': 'BAG' })).replace('"BAG"', member);

/** Sends bodies without waiting for their answers, so many at a time from an address. */
class Clients {
  readonly statuses: Record<string, number> = {};
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 200 });
  readonly #open = new Set<Promise<void>>();

  constructor(private readonly url: URL) {}

  send(client: number, body: string, headers: Record<string, string>): Promise<IncomingMessage | undefined> {
    const answer = new Promise<IncomingMessage | undefined>((resolve) => {
      const options = { method: 'POST', headers, localAddress: addressOf(client), agent: this.#agent };
      const sent = request(this.url, options, resolve);
      sent.on('error', () => resolve(undefined));
      sent.end(body);
    });
    const counted = answer.then((response) => {
      const status = String(response?.statusCode ?? 'cut off');
      this.statuses[status] = (this.statuses[status] ?? 0) + 1;
      response?.resume();
    });
    this.#open.add(counted);
    void counted.finally(() => this.#open.delete(counted));
    return answer;
  }

  /** Waits until no more than so many wait for an answer, or for some seconds. */
  async ease(most: number): Promise<void> {
    await settled(() => this.#open.size <= most, 5000);
  }

  get summary(): string {
    const parts = Object.entries(this.statuses).map(([status, count]) => `${count} × ${status}`);
    return parts.length > 0 ? parts.join(', ') : 'no answer';
  }

  leave(): void {
    this.#agent.destroy();
  }
}

/** Begins calls whose bodies do not end. */
class UnfinishedBodies {
  /** How many were refused for want of room. */
  refused = 0;
  readonly #sockets: Socket[] = [];

  constructor(
    private readonly url: URL,
    private readonly isChunked: boolean,
  ) {}

  send(client: number, pieces: readonly Buffer[]): void {
    const framed = pieces.map((piece) => [`${piece.length.toString(16)}\r\n`, piece, '\r\n']).flat();
    this.#write(client, this.isChunked ? framed : pieces);
  }

  /** Sends bytes that are chunks already. */
  sendRaw(client: number, chunks: Buffer): void {
    this.#write(client, [chunks]);
  }

  /** Resolves when the server has taken what was sent. */
  async written(): Promise<void> {
    await settled(
      () => this.#sockets.every(({ writableLength, destroyed }) => destroyed || writableLength === 0),
      60_000,
    );
  }

  leave(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #write(client: number, parts: readonly (string | Buffer)[]): void {
    const { hostname: host, port, pathname } = this.url;
    const socket = connect({ port: Number(port), host, localAddress: addressOf(client) });
    socket.on('error', () => undefined);
    socket.once('data', (data) => (this.refused += String(data).startsWith('HTTP/1.1 503') ? 1 : 0));
    const framing = this.isChunked ? 'Transfer-Encoding: chunked' : 'Content-Length: 4194304';
    const head = Object.entries(headersOf(callOf('wait'))).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`POST ${pathname} HTTP/1.1\r\nHost: localhost\r\n${framing}\r\n${head.join('')}\r\n`);
    for (const part of parts) socket.write(part);
    this.#sockets.push(socket);
  }
}

const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

async function survive(report: Report, attack: (server: WatchedServer) => Promise<() => void>): Promise<void> {
  const server = await WatchedServer.startHttp(hostile(), { flags: [`--max-old-space-size=${HEAP}`] });
  const before = (await server.collect()).heapUsed;
  const leave = await attack(server);
  await expectService(report, server);
  leave();
  if (server.ended === undefined) await expectMemoryBack(report, server, before);
  await server.end();
}

/** Each of them ended a process of this size once. */
export const MEMORY_FAULTS: readonly Fault[] = [
  {
    name: `3,000 sessions of 20 clients that say as much of themselves as they may, and more (heap of ${HEAP} MB)`,
    expected: 'what is too much is refused, the process lives, another client is answered, memory comes back',
    isQuick: false,
    run: (report) =>
      survive(report, async ({ url }) => {
        const clients = new Clients(url);
        const tooMuch = Object.fromEntries(Array.from({ length: 7000 }, (_, index) => [String(index), {}]));
        const sessions: string[] = [];
        for (let count = 0; count < 3000; count += 1) {
          const facts = count % 3 === 0 ? tooMuch : FACTS;
          void clients.send(count % 20, hello({ experimental: facts }), JSON_HEADERS).then((response) => {
            const id = response?.headers['mcp-session-id'];
            if (typeof id === 'string') sessions.push(id);
          });
          await clients.ease(20);
        }
        await clients.ease(0);
        report.expect(sessions.length === 2000, `${sessions.length} sessions are open`);
        report.say(clients.summary);
        for (const [index, id] of sessions.entries()) {
          const headers = { ...JSON_HEADERS, 'mcp-session-id': id };
          const ended = request(url, { method: 'DELETE', headers, localAddress: addressOf(index % 20) });
          ended.on('error', () => undefined).on('response', (response) => response.resume());
          ended.end();
          if (index % 50 === 0) await settled(() => false, 10);
        }
        return () => clients.leave();
      }),
  },
  {
    name: `60 calls of 70 MB once parsed, and 2,000 of 1 MB, of 20 clients; none ends (heap of ${HEAP} MB)`,
    expected: 'what is too much is refused, the process lives, another client is answered, memory comes back',
    isQuick: false,
    run: (report) =>
      survive(report, async ({ url }) => {
        const clients = new Clients(url);
        const headers = headersOf(callOf('wait'));
        for (let count = 0; count < 60; count += 1) {
          void clients.send(count % 20, heavy('wait', BOMB), headers);
          await clients.ease(4);
        }
        await clients.ease(0);
        // One that takes longer than `requestTimeout` to arrive, on a busy machine, is answered with 408.
        const refused = (clients.statuses['503'] ?? 0) + (clients.statuses['408'] ?? 0);
        report.expect(refused === 60, `those of 70 MB: ${clients.summary}`);
        for (let count = 0; count < 2000; count += 1) {
          void clients.send(count % 20, heavy('wait', CRACKER), headers);
          if (count % 20 === 0) await settled(() => false, 5);
        }
        await settled(() => (clients.statuses['503'] ?? 0) > 1500, 30_000);
        await settled(() => false, 1000);
        report.say(`in all ${clients.summary}, the others wait`);
        return () => clients.leave();
      }),
  },
  ...['with their length', 'without it'].map((way) => ({
    name: `800 bodies of 4 MB of 20 clients that stop before their ends, ${way} (heap of ${HEAP} MB)`,
    expected: 'what is too much is refused, the process lives, another client is answered, memory comes back',
    isQuick: true,
    run: (report: Report) =>
      survive(report, async ({ url }) => {
        const bodies = new UnfinishedBodies(url, way === 'without it');
        const piece = Buffer.alloc(1024 * 1024, 0x20);
        for (let count = 0; count < 800; count += 1) {
          bodies.send(count % 20, [piece, piece, piece]);
          if (count % 10 === 0) await settled(() => false, 20);
        }
        await settled(() => bodies.refused > 700, 30_000);
        report.expect(
          bodies.refused > 700,
          `${bodies.refused > 700 ? 'more than 700' : bodies.refused} of 800 are refused with 503`,
        );
        return () => bodies.leave();
      }),
  })),
  {
    name: `20 bodies of 100,000 chunks of one byte that stop before their ends (heap of ${HEAP} MB)`,
    expected: 'the process lives, another client is answered, memory comes back',
    isQuick: true,
    run: (report) =>
      survive(report, async ({ url }) => {
        const bodies = new UnfinishedBodies(url, true);
        // Written as they stand: these are chunks, each with its length.
        const chunks = Buffer.from('1\r\nx\r\n'.repeat(100_000));
        for (let client = 0; client < 20; client += 1) bodies.sendRaw(client, chunks);
        await bodies.written();
        return () => bodies.leave();
      }),
  },
  {
    name: `400 subscriptions/listen with ids of 4 MB (heap of ${HEAP} MB)`,
    expected: 'they are refused, the process lives, another client is answered, memory comes back',
    isQuick: true,
    run: (report) =>
      survive(report, async ({ url }) => {
        const clients = new Clients(url);
        const { 'mcp-name': _name, ...headers } = headersOf({ ...callOf('x'), method: 'subscriptions/listen' });
        const { params } = callOf('x') as { params: { _meta: object } };
        const listen = {
          jsonrpc: '2.0',
          id: 'x'.repeat(3_900_000),
          method: 'subscriptions/listen',
          params: { notifications: {}, _meta: params._meta },
        };
        const body = JSON.stringify(listen);
        for (let count = 0; count < 400; count += 1) {
          void clients.send(count % 20, body, headers);
          await clients.ease(4);
        }
        await clients.ease(0);
        report.expect(clients.statuses['400'] === 400, clients.summary);
        return () => clients.leave();
      }),
  },
  {
    name: `answers of 8 MB that 200 clients do not read (heap of ${HEAP} MB)`,
    expected:
      'those that wait for longest are broken off, the process lives, another client is answered, memory comes back',
    isQuick: false,
    run: (report) =>
      survive(report, async ({ url }) => {
        const sockets: Socket[] = [];
        const message = callOf('huge', { count: 8 });
        const body = JSON.stringify(message);
        let cut = 0;
        for (let count = 0; count < 200; count += 1) {
          const socket = connect({ port: Number(url.port), host: url.hostname, localAddress: addressOf(count % 20) });
          socket.on('error', () => undefined).on('close', () => (cut += 1));
          socket.pause();
          const head = Object.entries(headersOf(message)).map(([name, value]) => `${name}: ${value}\r\n`);
          socket.write(
            `POST ${url.pathname} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n${head.join('')}\r\n${body}`,
          );
          sockets.push(socket);
          await settled(() => false, 10);
        }
        await settled(() => false, 1000);
        report.say(`${cut} are broken off`);
        return () => sockets.forEach((socket) => socket.destroy());
      }),
  },
  behindInitialize('requests', (id) => heavy('wait', CRACKER).replace('"id":1', `"id":${id}`)),
  behindInitialize(
    'notifications',
    () => `{"jsonrpc":"2.0","method":"notifications/initialized","params":{"bag":${CRACKER}}}`,
  ),
];

/** Messages of 1 MB that a client sends behind `initialize`, without waiting for its answer. */
function behindInitialize(kind: string, messageOf: (id: number) => string): Fault {
  return {
    name: `2,000 ${kind} of 1 MB while initialize is answered (stdio, heap of ${HEAP} MB)`,
    expected: 'what is too much is refused or ignored, and the process lives',
    isQuick: false,
    run: async (report) => {
      const server = WatchedServer.start(hostile(), { flags: [`--max-old-space-size=${HEAP}`] });
      let text = '';
      server.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      server.stdin.write(`${hello({})}\n`);
      for (let id = 1; id <= 2000 && server.ended === undefined; id += 1) {
        const isRoom = server.stdin.write(`${messageOf(id)}\n`);
        if (!isRoom) await new Promise((resolve) => server.stdin.once('drain', resolve));
      }
      server.stdin.write('{"jsonrpc":"2.0","id":"after","method":"ping"}\n');
      await settled(() => text.includes('"after"') || server.ended !== undefined, 30_000);
      report.expect(text.includes('"after"'), 'a ping after them is answered');
      report.say(`${text.split('limits.held').length - 1} are refused`);
      report.expect(server.ended === undefined, 'the process lives');
      await server.end();
    },
  };
}
