/** A `verify` that does not answer: its clients are told to come back, and nothing waits for longer than it may. */
import { Caller, Feature, Tool, type Auth } from '@sigil-mcp/core';
import type { HttpTransportOptions } from '@sigil-mcp/fastify';
import { as, request, serve, type OpenServer } from './http-server';
import { bytesOf, dial, until } from './raw-request';

@Feature()
class Desk {
  @Tool('Says who calls')
  who(caller: Caller): string {
    return caller.id;
  }
}

/** `never` is not answered, `slow` after 20 ms, `failing` fails after 20 ms; all others are their owners at once. */
let asked: string[];
const auth: Auth = {
  verify: (token) => {
    asked.push(token);
    if (token.startsWith('never')) return new Promise(() => undefined);
    if (token === 'slow' || token === 'failing')
      return new Promise((resolve, reject) =>
        setTimeout(() => {
          if (token === 'slow') resolve(new Caller({ id: token }));
          else reject(new Error('postgres://secret'));
        }, 20),
      );
    return new Caller({ id: token });
  },
};

let open: OpenServer;
let warned: { readonly fields: { readonly err?: Error }; readonly message: string }[];
const start = async (options: HttpTransportOptions): Promise<OpenServer> => {
  const silent = (): void => undefined;
  const warn = (fields: object, message: string): void => void warned.push({ fields, message });
  const logger = { debug: silent, info: silent, warn, error: silent };
  return (open = await serve({ features: [Desk], logger }, { auth, sse: true, ...options }));
};
const timers = (): number => process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length;

beforeEach(() => {
  asked = [];
  warned = [];
});
afterEach(() => open.close());

const PING = request(1, 'ping');

it('is waited for as long as its limit says, then the answer is 503 with Retry-After, by every way', async () => {
  await start({ limits: { verifyTimeout: 60 } });
  const began = Date.now();
  const late = await open.post(PING, as('never'));
  expect(Date.now() - began).toBeGreaterThanOrEqual(55);
  expect([late.status, late.headers.get('retry-after'), late.headers.get('www-authenticate')]).toEqual([
    503,
    '5',
    null,
  ]);
  expect(late.messages).toMatchObject([{ jsonrpc: '2.0', error: { code: -32603, data: { retryAfter: 5 } } }]);
  for (const [method, path] of [
    ['GET', '/mcp'],
    ['DELETE', '/mcp'],
    ['GET', '/sse'],
    ['POST', '/messages'],
  ] as const) {
    const answer = await fetch(new URL(path, open.url), { method, headers: as('never') });
    expect([method, path, answer.status]).toEqual([method, path, 503]);
  }
});

it('is waited for where it is slow and still in time, and what it fails with is masked as ever', async () => {
  await start({ limits: { verifyTimeout: 1000 } });
  const session = await open.initialize('2025-11-25', as('slow'));
  const call = request(2, 'tools/call', { name: 'who', arguments: {} });
  expect((await open.post(call, session)).messages).toMatchObject([{ result: { content: [{ text: 'slow' }] } }]);
  expect((await open.post(PING, as('failing'))).status).toBe(500);
  expect((await open.post(PING, as('ada'))).status).not.toBe(503);
  expect(warned).toEqual([]);
});

it('that comes too late changes nothing, not even by failing', async () => {
  await start({ limits: { verifyTimeout: 5 } });
  expect((await open.post(PING, as('slow'))).status).toBe(503);
  expect((await open.post(PING, as('failing'))).status).toBe(503);
  await new Promise((resolve) => setTimeout(resolve, 40));
  expect((await open.post(PING, as('ada'))).status).not.toBe(503);
});

it('is in the log once, however many requests wait for it', async () => {
  await start({ limits: { verifyTimeout: 30 } });
  await Promise.all(Array.from({ length: 5 }, (_, at) => open.post(PING, as(`never-${at}`))));
  await open.post(PING, as('never'));
  expect(warned.map(({ message }) => message)).toEqual(['Whether a token is good was not known in time']);
  expect(warned[0]?.fields.err).toMatchObject({ code: 'SIGIL_AUTH_LATE' });
  expect(JSON.stringify(warned)).not.toContain('never');
});

it('leaves nothing behind of clients who left before, nor of those who were answered', async () => {
  await start({ limits: { verifyTimeout: 600_000 } });
  const before = timers();
  const sockets = await Promise.all(Array.from({ length: 10 }, () => dial(open.port)));
  // Some of them on one connection, before anything is answered.
  for (const socket of sockets)
    for (let time = 0; time < 12; time++)
      socket.write(bytesOf(open.port, { headers: { ...authorized('never'), Connection: 'keep-alive' }, body: PING }));
  await until(() => asked.length === 120);
  expect(timers()).toBeGreaterThan(before);
  for (const socket of sockets) socket.destroy();
  await until(() => timers() <= before);
  expect((await open.post(PING, as('slow'))).status).not.toBe(503);
  await until(() => timers() <= before);
  expect(warned).toEqual([]);
});

it('is waited for ten seconds if nobody says how long, for ever where somebody says so', async () => {
  const delays: unknown[] = [];
  const spy = jest.spyOn(globalThis, 'setTimeout');
  try {
    for (const limits of [{}, { verifyTimeout: Infinity }]) {
      await start({ limits });
      spy.mockClear();
      await open.post(PING, as('slow'));
      delays.push(spy.mock.calls.map(([, delay]) => delay).filter((delay) => delay === 10_000));
      if (limits.verifyTimeout === undefined) await open.close();
    }
  } finally {
    spy.mockRestore();
  }
  expect(delays).toEqual([[10_000], []]);
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
