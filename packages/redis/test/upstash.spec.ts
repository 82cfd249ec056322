/** The stores in a Redis over HTTP do what every store does. */
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StoreAway } from '@sigil-mcp/core/stores';
import { redis, upstash } from '@sigil-mcp/redis';
import { connectionOf, type RedisConnection } from '@sigil-mcp/redis/adapter';
import { ManualClock } from '@sigil-mcp/testing';
import { describeStores } from '@sigil-mcp/testing/stores';
import { REST_TOKEN, RedisRest } from '../../../test/support/supplies/redis-rest';
import { RedisServer } from '../../../test/support/supplies/redis-server';
import { describeWith } from '../../../test/support/supplies/supply';
import { CLIENTS } from '../../../test/support/supplies/redis-clients';
import { until } from '../../../test/support/until';
import { Ears, PATIENT } from './tested-redis';

describeWith('redis-server', 'stores in a Redis over HTTP', () => {
  let server: RedisServer;
  let rest: RedisRest;
  let namespaces = 0;
  beforeAll(async () => {
    server = await RedisServer.start();
    rest = await RedisRest.start(server);
  });
  afterAll(async () => {
    await rest.stop();
    await server.stop();
  });

  const client = (subscribe?: boolean) =>
    upstash({ url: rest.url, token: REST_TOKEN, ...(subscribe !== undefined && { subscribe }) });

  describeStores(
    (streams) => {
      namespaces += 1;
      const options = { namespace: `test${namespaces}`, streams, ...PATIENT };
      return [redis({ client: client(), ...options }), redis({ client: client(), ...options })];
    },
    // Each command is a request, and what a flood does is done by the same scripts as with other clients.
    { flood: 20 },
  );

  it('deliver messages again after a subscription broke', async () => {
    const stores = redis({ client: client(), namespace: 'broken', ...PATIENT });
    const heard: string[] = [];
    const leave = await stores.bus.join('one', {
      message: (text) => heard.push(text),
      change: () => undefined,
      missed: () => undefined,
    });
    await stores.bus.send('one', 'before');
    await until(() => heard.length === 1);
    rest.cutSubscriptions();
    await stores.bus.send('one', 'after');
    await until(() => heard.length === 2);
    expect(heard).toEqual(['before', 'after']);
    await leave();
    await stores.close();
  });

  it('are notified of the changes of resources that instances over the protocol of Redis announce, and notify them', async () => {
    const socket = await CLIENTS['ioredis']?.(server);
    if (!socket) throw new Error('There is no client.');
    const options = { namespace: 'mixed', ...PATIENT };
    const [http, tcp] = [redis({ client: client(), ...options }), redis({ client: socket.client, ...options })];
    const [here, there] = [new Ears(), new Ears()];
    const leave = [await http.bus.join('http', here), await tcp.bus.join('tcp', there)];
    await tcp.bus.topics?.announce('desk://plan', 'changed');
    await here.hear(1);
    await http.bus.announce('changed again');
    await there.hear(2);
    expect(http.bus.topics).toBeUndefined();
    expect([here.heard[0], there.heard]).toEqual(['changed', ['changed', 'changed again']]);
    // The clients of an instance that has left come back to another one, which continues with the changes of all topics.
    const position = await http.bus.position();
    for (const each of leave) await each();
    expect(await server.command('PTTL', 'mixed:without-topics')).toBeGreaterThan(80_000_000);
    await tcp.bus.topics?.announce('desk://plan', 'changed meanwhile');
    expect(await http.bus.changesAfter(position)).toEqual([expect.objectContaining({ text: 'changed meanwhile' })]);
    await Promise.all([http.close(), tcp.close()]);
    socket.close();
  });

  it('find messages without a subscription', async () => {
    const clock = new ManualClock();
    const stores = redis({ client: client(false), namespace: 'polled', ...PATIENT, clock });
    const heard: string[] = [];
    const leave = await stores.bus.join('one', {
      message: (text) => heard.push(text),
      change: () => undefined,
      missed: () => undefined,
    });
    await stores.bus.send('one', 'found');
    await clock.advance(PATIENT.deadAfter / 3);
    await until(() => heard.length === 1);
    expect(heard).toEqual(['found']);
    await leave();
    await stores.close();
  });

  it('say why a command was refused', async () => {
    const stores = redis({ client: upstash({ url: rest.url, token: 'another' }) });
    await expect(stores.sessions.open('id', '{}', 1000)).rejects.toMatchObject({
      cause: expect.objectContaining({ message: expect.stringMatching(/^WRONGPASS/) }),
    });
  });
});

it.each([
  [{ url: 'redis://127.0.0.1:6379', token: 'a' }, 'SIGIL_REDIS_REST_URL'],
  [{ url: 'nowhere', token: 'a' }, 'SIGIL_REDIS_REST_URL'],
  [{ url: 'https://redis.example', token: '' }, 'SIGIL_REDIS_REST_TOKEN'],
])('upstash(%j) is refused with %s', (options, code) => {
  expect(() => upstash(options)).toThrow(expect.objectContaining({ code }));
});

describe('a connection to a Redis over HTTP', () => {
  const clock = new ManualClock();
  let front: Server;
  let connection: RedisConnection;
  /** What was asked for, with what answers it. */
  const asked: { readonly path: string; readonly words: unknown; readonly response: ServerResponse }[] = [];
  beforeEach(async () => {
    asked.length = 0;
    front = createServer((request, response) => {
      let body = '';
      request.on('data', (piece: Buffer) => (body += String(piece)));
      request.on('end', () => asked.push({ path: request.url ?? '', words: body && JSON.parse(body), response }));
    }).listen(0, '127.0.0.1');
    await once(front, 'listening');
    const url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
    connection = connectionOf(upstash({ url, token: 't' }), { commandTimeout: 1000, clock });
  });
  afterEach(() => {
    front.closeAllConnections();
    front.close();
  });
  const answer = (index: number, result: unknown): void => void asked[index]?.response.end(JSON.stringify({ result }));

  it('goes on after a request that hangs, and does not send what nobody waits for any more', async () => {
    const script = (name: string): Promise<unknown> => {
      const running = connection.command('key', ['EVAL', name]);
      running.catch(() => undefined);
      return running;
    };
    const [hanging, waiting] = [script('one'), script('two')];
    await until(() => asked.length === 1);
    await clock.advance(1000);
    await expect(hanging).rejects.toThrow();
    await expect(waiting).rejects.toBeInstanceOf(StoreAway);
    const next = script('three');
    await until(() => asked.length === 2);
    answer(1, 'done');
    expect(await next).toBe('done');
    expect(asked.map(({ words }) => words)).toEqual([
      ['EVAL', 'one'],
      ['EVAL', 'three'],
    ]);
    expect(clock.pending).toBe(0);
  });

  it('does not say that a channel is heard before it is, to whoever waits for it', async () => {
    const heard: string[] = [];
    const subscriber = connection.openSubscriber({ heard: (_, text) => heard.push(text), ready: () => undefined });
    let confirmed = 0;
    const both = [1, 2].map(() => subscriber.subscribe('c').then(() => (confirmed += 1)));
    await until(() => asked.length === 1);
    expect(confirmed).toBe(0);
    asked[0]?.response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: subscribe,c,1\n\n');
    await Promise.all(both);
    asked[0]?.response.write('data: message,c,hello\n\n');
    await until(() => heard.length === 1);
    subscriber.close();
  });

  it('tells both that a channel cannot be heard, and tries again for the next one', async () => {
    const subscriber = connection.openSubscriber({ heard: () => undefined, ready: () => undefined });
    const both = [1, 2].map(() => subscriber.subscribe('c'));
    const refused = both.map((one) => expect(one).rejects.toThrow('HTTP status 503'));
    await until(() => asked.length === 1);
    asked[0]?.response.writeHead(503).end();
    await Promise.all(refused);
    const again = subscriber.subscribe('c');
    await until(() => asked.length === 2);
    asked[1]?.response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: subscribe,c,1\n\n');
    await again;
    subscriber.close();
  });
});
