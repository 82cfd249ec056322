/** What clients do with connections: too many, too slow, too large. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { settled } from '../../support/watched/settled';
import { WatchedServer } from '../../support/watched/watched-server';
import { callOf, expectMemoryBack, expectService, headersOf, post, type Fault } from './fault';
import { hostile } from './process-faults';

const MANY = 5000;
/** What one address may have of them. */
const SHARE = 2000;
const LARGE = 64 * 1024 * 1024;
/** Files that the process may open where it is to run out of them. */
const FEW_FILES = 64;

/** Connections and bodies. */
export const CONNECTION_FAULTS: readonly Fault[] = [
  {
    name: `no file descriptors left (EMFILE: ${FEW_FILES} allowed, 200 connections)`,
    expected: 'the process lives, and answers as soon as connections are given back',
    isQuick: true,
    run: async (report) => {
      const server = await WatchedServer.startHttp(hostile(), { under: ['prlimit', `--nofile=${FEW_FILES}`] });
      const sockets = await dialMany(server.url, 200);
      await delay(500);
      report.expect(server.ended === undefined, 'the process lives');
      hangUp(sockets);
      await delay(500);
      await expectService(report, server, 'a client afterwards');
      await server.end();
    },
  },
  {
    name: 'slow-loris: 200 clients that send a head byte by byte',
    expected: 'others are answered meanwhile; the slow are cut off at the time limit (30 s by default)',
    isQuick: false,
    run: async (report) => {
      const server = await WatchedServer.startHttp(hostile());
      const sockets = await dialMany(server.url, 200);
      let open = sockets.length;
      for (const socket of sockets) socket.on('close', () => open--).resume();
      const timer = setInterval(() => sockets.forEach((socket) => socket.writable && socket.write('P')), 1000);
      await expectService(report, server);
      const areCut = await settled(() => open === 0, 50_000);
      clearInterval(timer);
      report.expect(areCut, 'the slow are cut off');
      await server.end();
    },
  },
  {
    name: `${MANY.toLocaleString('en')} connections of one address`,
    expected:
      'those beyond its share are refused, the process lives, clients of other addresses are answered meanwhile, memory comes back',
    isQuick: false,
    run: async (report) => {
      const server = await WatchedServer.startHttp(hostile());
      const before = (await server.collect()).heapUsed;
      const sockets = await dialMany(server.url, MANY, '127.0.0.2');
      const open = (): number => sockets.filter(({ destroyed }) => !destroyed).length;
      await settled(() => open() === SHARE, 5000);
      report.expect(open() === SHARE, `${open()} are open, the others are refused`);
      await expectService(report, server);
      hangUp(sockets);
      await expectMemoryBack(report, server, before);
      await server.end();
    },
  },
  {
    name: 'bodies of 64 MiB, with and without their length',
    expected: 'refused with 413; others are answered, memory comes back',
    isQuick: true,
    run: async (report) => {
      const server = await WatchedServer.startHttp(hostile());
      const before = (await server.collect()).heapUsed;
      report.expect((await sendLarge(server.url, true)) === 413, 'with a Content-Length: 413');
      report.expect((await sendLarge(server.url, false)) === 413, 'in chunks: 413');
      await expectService(report, server);
      await expectMemoryBack(report, server, before);
      await server.end();
    },
  },
  {
    name: 'compressed bodies, 64 MiB in 64 KiB among them',
    expected: 'refused with 415, unread; the answer names the Content-Encoding',
    isQuick: true,
    run: async (report) => {
      const server = await WatchedServer.startHttp(hostile());
      const message = callOf('echo', { word: 'x' });
      for (const [name, body] of Object.entries({ small: JSON.stringify(message), bomb: Buffer.alloc(LARGE) })) {
        const headers = { 'content-encoding': 'gzip' };
        const { status, text } = await post(server.url, message, { headers, body: new Uint8Array(gzipSync(body)) });
        report.expect(status === 415 && text.includes('Content-Encoding'), `${name}: ${status}`);
      }
      await expectService(report, server);
      await server.end();
    },
  },
  {
    name: 'a client that reads one byte a second (64 MB wanted)',
    expected: 'the process lives, others are answered meanwhile, memory comes back when it leaves',
    isQuick: true,
    run: async (report) => {
      const server = await WatchedServer.startHttp(hostile());
      const before = (await server.collect()).heapUsed;
      const socket = await dial(server.url);
      socket.pause();
      const body = JSON.stringify(callOf('huge', { count: 64 }));
      const head = Object.entries({
        host: '127.0.0.1',
        ...headersOf(callOf('huge')),
        'content-length': String(body.length),
      });
      socket.write(
        `POST /mcp HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n${body}`,
      );
      const timer = setInterval(() => void socket.read(1), 1000);
      await delay(3000);
      await expectService(report, server);
      clearInterval(timer);
      socket.destroy();
      await expectMemoryBack(report, server, before);
      await server.end();
    },
  },
];

async function dial(url: URL, localAddress?: string): Promise<Socket> {
  const socket = connect({ port: Number(url.port), host: url.hostname, ...(localAddress && { localAddress }) });
  // One whose answer nobody reads does not close.
  socket.on('error', () => undefined).resume();
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
  return socket;
}

/** Opens connections, some at a time: the operating system keeps only so many waiting. */
async function dialMany(url: URL, count: number, localAddress?: string): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const some = Array.from({ length: Math.min(100, count - sockets.length) }, () => dial(url, localAddress));
    sockets.push(...(await Promise.all(some)));
  }
  return sockets;
}

function hangUp(sockets: readonly Socket[]): void {
  for (const socket of sockets) socket.destroy();
}

/** @returns the status; 0 if the connection ended without one */
async function sendLarge(url: URL, hasLength: boolean): Promise<number> {
  const socket = await dial(url);
  let text = '';
  socket.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  const framing = hasLength ? { 'content-length': String(LARGE) } : { 'transfer-encoding': 'chunked' };
  const head = Object.entries({ host: '127.0.0.1', ...headersOf(callOf('echo')), ...framing });
  socket.write(`POST /mcp HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n`);
  const piece = Buffer.alloc(1024 * 1024, 'x');
  for (let count = 0; count < 64 && socket.writable && text === ''; count++) {
    if (!hasLength) socket.write(`${piece.length.toString(16)}\r\n`);
    socket.write(piece);
    if (!hasLength) socket.write('\r\n');
    await delay(1);
  }
  await settled(() => text !== '' || socket.destroyed, 5000);
  socket.destroy();
  return Number(/^HTTP\/1.1 (\d+)/.exec(text)?.[1] ?? 0);
}
