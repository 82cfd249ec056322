/** A `verify` that does not answer: its clients are told to come back, and nothing waits for longer than it may. */
import { Caller, Feature, Tool, type Auth } from '@sigil-mcp/core';
import type { HttpTransportOptions } from '@sigil-mcp/fastify';
import { as, request, serve, type OpenServer, itOnNode } from './http-server';
import { ManualClock } from '@sigil-mcp/testing';
import { bytesOf, dial, until } from './raw-request';

@Feature()
class Desk {
  @Tool('Says who calls')
  who(caller: Caller): string {
    return caller.id;
  }
}

/** `never` is not answered, `slow` after 20 ms of the clock, `failing` fails after 20 ms; all others are their owners at once. */
let asked: string[];
const auth: Auth = {
  verify: (token) => {
    asked.push(token);
    if (token.startsWith('never')) return new Promise(() => undefined);
    if (token === 'slow' || token === 'failing')
      return new Promise((resolve, reject) =>
        clock.after(20, () => {
          if (token === 'slow') resolve(new Caller({ id: token }));
          else reject(new Error('postgres://secret'));
        }),
      );
    return new Caller({ id: token });
  },
};

let open: OpenServer;
let clock: ManualClock;
let warned: { readonly fields: { readonly err?: Error }; readonly message: string }[];
const start = async (options: HttpTransportOptions): Promise<OpenServer> => {
  const silent = (): void => undefined;
  const warn = (fields: object, message: string): void => void warned.push({ fields, message });
  const logger = { debug: silent, info: silent, warn, error: silent };
  return (open = await serve({ features: [Desk], logger, clock }, { auth, sse: true, ...options }));
};
/** What comes of requests whose tokens are being verified, once time has passed. */
const after = async <T>(milliseconds: number, count: number, ...sent: readonly Promise<T>[]): Promise<T[]> => {
  await until(() => asked.length >= count);
  await clock.advance(milliseconds);
  return Promise.all(sent);
};

beforeEach(() => {
  asked = [];
  warned = [];
  clock = new ManualClock();
});
afterEach(() => open.close());

const PING = request(1, 'ping');

it('is waited for as long as its limit says, then the answer is 503 with Retry-After, by every way', async () => {
  await start({ limits: { verifyTimeout: 60 } });
  const waiting = open.post(PING, as('never'));
  let isLate = false;
  void waiting.then(() => (isLate = true));
  await until(() => asked.length === 1);
  await clock.advance(59);
  expect(isLate).toBe(false);
  await clock.advance(1);
  const late = await waiting;
  expect([late.status, late.headers.get('retry-after'), late.headers.get('www-authenticate')]).toEqual([
    503,
    '5',
    null,
  ]);
  expect(late.messages).toMatchObject([{ jsonrpc: '2.0', error: { code: -32603, data: { retryAfter: 5 } } }]);
  for (const [index, [method, path]] of (
    [
      ['GET', '/mcp'],
      ['DELETE', '/mcp'],
      ['GET', '/sse'],
      ['POST', '/messages'],
    ] as const
  ).entries()) {
    const [answer] = await after(60, index + 2, fetch(new URL(path, open.url), { method, headers: as('never') }));
    expect([method, path, answer?.status]).toEqual([method, path, 503]);
  }
});

it('is waited for where it is slow and still in time, and what it fails with is masked as ever', async () => {
  await start({ limits: { verifyTimeout: 1000 } });
  const [session] = await after(20, 1, open.initialize('2025-11-25', as('slow')));
  const call = request(2, 'tools/call', { name: 'who', arguments: {} });
  const [called] = await after(20, 2, open.post(call, session));
  expect(called?.messages).toMatchObject([{ result: { content: [{ text: 'slow' }] } }]);
  const [failed] = await after(20, 3, open.post(PING, as('failing')));
  expect(failed?.status).toBe(500);
  expect((await open.post(PING, as('ada'))).status).not.toBe(503);
  expect(warned).toEqual([]);
});

it('that comes too late changes nothing, not even by failing', async () => {
  await start({ limits: { verifyTimeout: 5 } });
  const late = await after(5, 2, open.post(PING, as('slow')), open.post(PING, as('failing')));
  expect(late.map(({ status }) => status)).toEqual([503, 503]);
  await clock.advance(40);
  expect((await open.post(PING, as('ada'))).status).not.toBe(503);
});

it('is in the log once, however many requests wait for it', async () => {
  await start({ limits: { verifyTimeout: 30 } });
  await after(30, 5, ...Array.from({ length: 5 }, (_, at) => open.post(PING, as(`never-${at}`))));
  await after(30, 6, open.post(PING, as('never')));
  expect(warned.map(({ message }) => message)).toEqual(['A caller was not identified in time']);
  expect(warned[0]?.fields.err).toMatchObject({ code: 'SIGIL_AUTH_LATE' });
  expect(JSON.stringify(warned)).not.toContain('never');
  await clock.advance(5000);
  await after(30, 7, open.post(PING, as('never')));
  expect(warned).toHaveLength(2);
});

// The platform of the other adapter does not notice that clients of pipelined requests leave.
itOnNode()('leaves nothing behind of clients who left before, nor of those who were answered', async () => {
  await start({ limits: { verifyTimeout: 600_000 } });
  const before = clock.pending;
  const sockets = await Promise.all(Array.from({ length: 10 }, () => dial(open.port)));
  // Some of them on one connection, before anything is answered.
  for (const socket of sockets)
    for (let time = 0; time < 12; time++)
      socket.write(bytesOf(open.port, { headers: { ...authorized('never'), Connection: 'keep-alive' }, body: PING }));
  await until(() => asked.length === 120);
  expect(clock.pending).toBe(before + 120);
  for (const socket of sockets) socket.destroy();
  await until(() => clock.pending <= before);
  const [answered] = await after(20, 121, open.post(PING, as('slow')));
  expect(answered?.status).not.toBe(503);
  expect(clock.pending).toBe(before);
  expect(warned).toEqual([]);
});

it('is waited for ten seconds if nobody says how long, for ever where somebody says so', async () => {
  await start({});
  const [late] = await after(10_000, 1, open.post(PING, as('never')));
  expect(late?.status).toBe(503);
  await open.close();
  await start({ limits: { verifyTimeout: Infinity } });
  const before = clock.pending;
  const left = new AbortController();
  const headers = { ...as('never'), 'content-type': 'application/json' };
  const sent = fetch(open.url, { method: 'POST', headers, body: JSON.stringify(PING), signal: left.signal });
  await until(() => asked.length === 2);
  expect(clock.pending).toBe(before);
  left.abort();
  await expect(sent).rejects.toThrow();
});

it.each([0, -1, 0.5, Number.NaN, '10s' as never])('refuses %p milliseconds at start', async (verifyTimeout) => {
  await start({});
  await expect(serve({ features: [Desk] }, { auth, limits: { verifyTimeout } })).rejects.toMatchObject({
    code: 'SIGIL_LIMIT',
  });
});

function authorized(token: string): Record<string, string> {
  return { Authorization: `Bearer ${token}` };
}
