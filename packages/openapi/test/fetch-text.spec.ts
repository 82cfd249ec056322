/** The download of a document: a server can make the command wait and hold no more than its limits. */
import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { fetchText } from '../src/document/fetch-text';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(answer: (response: ServerResponse, path: string) => unknown): Promise<URL> {
  const server = createServer(({ url = '' }, response) => answer(response, url)).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api.json`);
}

const { signal } = new AbortController();
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const limits = { time: 20_000, bytes: 100_000 };
const soon = { ...limits, time: 200 };
const late = /api\.json cannot be read: it did not arrive within 0\.2 seconds/;
const large = /api\.json cannot be read: it has more than 0\.1 MB/;

/** Sends until nobody reads any more. */
function endlessly(response: ServerResponse, chunk: Buffer): void {
  let isOpen = true;
  const more = (): void => {
    while (isOpen && response.write(chunk));
  };
  response.on('close', () => (isOpen = false)).on('drain', more);
  more();
}

it.each<[string, (response: ServerResponse, path: string) => unknown, RegExp]>([
  ['never answers', () => setImmediate(collectGarbage), late],
  ['begins to answer and stops', (response) => void response.writeHead(200).write('{'), late],
  [
    'redirects to what never answers',
    (response, path) => void (path === '/api.json' && response.writeHead(302, { location: '/b' }).end()),
    late,
  ],
  [
    'redirects in a circle',
    (response) => void response.writeHead(302, { location: '/api.json' }).end(),
    /redirects more than 5 times/,
  ],
  ['sends without an end', (response) => endlessly(response, Buffer.alloc(10_000, ' ')), large],
  [
    'sends little that becomes much',
    (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(10_000_000))),
    large,
  ],
  ['goes away', (response) => void response.socket?.destroy(), /cannot be read/],
])('ends if the server %s', async (_what, answer, words) => {
  const url = await serve(answer);
  await expect(fetchText(url, signal, words === late ? soon : limits)).rejects.toThrow(words);
});

it('ends when the command is interrupted', async () => {
  const controller = new AbortController();
  const url = await serve(() => controller.abort(new Error('interrupted')));
  await expect(fetchText(url, controller.signal, limits)).rejects.toThrow('interrupted');
});

it('follows no redirect to another protocol or port', async () => {
  const url = await serve((response, path) => {
    response
      .writeHead(302, { location: path === '/file' ? 'file:///etc/hostname' : 'https://127.0.0.1/api.json' })
      .end();
  });
  await expect(fetchText(url, signal, limits)).rejects.toThrow('redirects to https://127.0.0.1');
  await expect(fetchText(new URL('/file', url), signal, limits)).rejects.toThrow('another server');
});
