/** A master that becomes a replica while the connections to it stay: its name leads to another one. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Cluster, Redis } from 'ioredis';
import { redis, type RedisOptions } from '@sigil-mcp/redis';
import { ManualClock } from '@sigil-mcp/testing';
import { RedisServer } from '../../../test/support/supplies/redis-server';
import { describeWith } from '../../../test/support/supplies/supply';
import { TESTED_CLIENTS } from '../../../test/support/supplies/redis-clients';
import { freePort } from '../../../test/support/free-port';
import { IoRedisConnection } from '../src/clients/ioredis';
import { Ears } from './tested-redis';
import { until } from '../../../test/support/until';

/** A name that leads to one server, and later to another: connections that are open stay where they are. */
class Name {
  #port = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor() {
    this.#server = createServer((socket) => {
      const other = connect(this.#port, '127.0.0.1');
      for (const each of [socket, other]) {
        this.#sockets.add(each);
        each.on('error', () => undefined).on('close', () => [socket, other].forEach((end) => end.destroy()));
      }
      socket.pipe(other).pipe(socket);
    });
  }

  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  leadTo({ port }: RedisServer): void {
    this.#port = port;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}

describeWith('redis-server', 'stores in a Redis whose master is another one now', () => {
  describe.each(TESTED_CLIENTS)('with a client of %s', (_, open) => {
    it.each([
      ['refuses what is written', ['replica-serve-stale-data', 'yes']],
      ['has lost its master, and answers nothing', ['replica-serve-stale-data', 'no']],
    ])('leave the old one, which %s', async (_how, setting) => {
      const [old, master] = [await RedisServer.start(), await RedisServer.start()];
      const name = new Name();
      name.leadTo(old);
      const port = await name.listen();
      const { client, close } = await open({ port, url: `redis://127.0.0.1:${port}` });
      // Those connections answer all the while: nothing here is a matter of time.
      const stores = redis({ client, namespace: 'moved', commandTimeout: 20_000 });
      const isServed = async (): Promise<boolean> => {
        try {
          await stores.sessions.open('s', 'one', 60_000);
          return (await stores.sessions.use('s', 60_000)) === 'one';
        } catch {
          return false;
        }
      };
      expect(await isServed()).toBe(true);
      await old.command('CONFIG', 'SET', ...setting);
      name.leadTo(master);
      await old.command('REPLICAOF', '127.0.0.1', setting[1] === 'no' ? '1' : `${master.port}`);
      await until(isServed);
      expect(await master.command('GET', 'moved:{s}:s')).toBe('one');
      await stores.close();
      close();
      name.close();
      await Promise.all([old.stop(), master.stop()]);
    });
  });

  it('hear what is published with a client of ioredis that connects lazily', async () => {
    const server = await RedisServer.start();
    const client = new Redis(server.url, { lazyConnect: true });
    await client.connect();
    const stores = redis({ client, commandTimeout: 20_000 });
    const ears = new Ears();
    const leave = await stores.bus.join('a', ears);
    await stores.bus.announce('heard');
    expect(await ears.hear(1)).toEqual(['heard']);
    await leave();
    await stores.close();
    client.disconnect();
    await server.stop();
  });
});

describe('a Redis that loads its data', () => {
  it('is left after ten seconds, and not before: the name may lead elsewhere by then', async () => {
    const clock = new ManualClock();
    const renewed = jest.fn();
    let failure: Error | undefined = new Error('LOADING Redis is loading the dataset in memory');
    const client = {
      status: 'ready',
      call: () => (failure ? Promise.reject(failure) : Promise.resolve(null)),
      disconnect: renewed,
    } as unknown as RedisOptions['client'];
    const { sessions } = redis({ client, clock });
    const use = async (): Promise<unknown> => Promise.resolve(sessions.use('s', 1000)).catch(() => 'refused');
    expect(await use()).toBe('refused');
    await clock.advance(9999);
    expect(await use()).toBe('refused');
    // It was there in between: it loads anew.
    failure = undefined;
    expect(await use()).toBeUndefined();
    failure = new Error('LOADING Redis is loading the dataset in memory');
    await use();
    await clock.advance(9999);
    await use();
    expect(renewed).not.toHaveBeenCalled();
    await clock.advance(1);
    await use();
    await use();
    expect(renewed.mock.calls).toEqual([[true]]);
  });

  it('is not left again and again while the name still leads to it', async () => {
    const clock = new ManualClock();
    const renewed = jest.fn();
    const client = {
      status: 'ready',
      call: () => Promise.reject(new Error("READONLY You can't write against a read only replica.")),
      disconnect: renewed,
    } as unknown as RedisOptions['client'];
    const { sessions } = redis({ client, clock });
    for (let turn = 0; turn < 30; turn++) {
      await expect(Promise.resolve(sessions.use('s', 1000))).rejects.toThrow();
      await clock.advance(100);
    }
    expect(renewed).toHaveBeenCalledTimes(3);
  });
});

it('a client of a cluster that connects is not told to connect again, after which it would do neither', async () => {
  const client = new Cluster([{ host: 'localhost', port: await freePort() }], { clusterRetryStrategy: () => null });
  client.on('error', () => undefined);
  const connection = new IoRedisConnection(client);
  const sent = connection.command('key', ['GET', 'key']);
  connection.renew();
  await expect(sent).rejects.toThrow('None of startup nodes is available');
});
