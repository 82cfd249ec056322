/** What the stores need of a client, with each library, at a server and at a cluster: all other specs take one client for all of them. */
import { createClient } from '@redis/client';
import { StoreAway, type TopicBus } from '@sigil-mcp/core/stores';
import { redis } from '@sigil-mcp/redis';
import { Commands, connectionOf, readText, Script, WakeUps, type RedisConnection } from '@sigil-mcp/redis/adapter';
import { ManualClock } from '@sigil-mcp/testing';
import { CLIENTS, CLUSTER_CLIENTS, type OpenClient } from '../../../test/support/supplies/redis-clients';
import { RedisNodes } from '../../../test/support/supplies/redis-nodes';
import { RedisServer } from '../../../test/support/supplies/redis-server';
import { describeWith } from '../../../test/support/supplies/supply';
import { until } from '../../../test/support/until';

const TIMEOUT = 60_000;
const KEYS = Array.from({ length: 300 }, (_, index) => `key ${index}`);
const TOPICS = KEYS.slice(0, 12);
const LONG_TEXT = `\u0000 "日本語"\r\n🎈${'é'.repeat(1024 * 1024)}`;
const PUSH = new Script(`return redis.call('RPUSH', KEYS[1], ARGV[1])`);
const BOTH = new Script(`return {redis.call('GET', KEYS[1]), redis.call('GET', KEYS[2])}`);

/** Starts a Redis: the nodes that clients send commands to. */
type Start = () => Promise<readonly RedisServer[]>;

describeWith('redis-server', 'a connection', () => {
  describe.each<[string, typeof CLIENTS, Start]>([
    ['a server', CLIENTS, async () => [await RedisServer.start()]],
    ['a cluster', CLUSTER_CLIENTS, async () => (await RedisNodes.start(3)).masters],
  ])('to %s', (place, clients, start) => {
    let nodes: readonly RedisServer[] = [];
    beforeAll(async () => void (nodes = await start()));
    afterAll(() => Promise.all(nodes.map((node) => node.stop())));

    const atAll = (...words: string[]): Promise<unknown[]> => Promise.all(nodes.map((node) => node.command(...words)));

    /** The sum of a number that each node says of itself. */
    async function sumOf(name: string): Promise<number> {
      const infos = await atAll('INFO', 'everything');
      return infos.reduce<number>(
        (sum, info) => sum + Number(new RegExp(`${name}(\\d+)`).exec(String(info))?.[1] ?? 0),
        0,
      );
    }

    describe.each(Object.entries(clients))('with a client of %s', (_, open) => {
      let opened: OpenClient;
      let connection: RedisConnection;
      let commands: Commands;
      let clock: ManualClock;
      beforeEach(async () => {
        await atAll('FLUSHALL');
        opened = await open(nodes[0] as RedisServer);
        clock = new ManualClock();
        connection = connectionOf(opened.client, { commandTimeout: TIMEOUT, clock });
        commands = new Commands(connection, { commandTimeout: TIMEOUT, pendingCommands: 1000, clock });
        // A client connects to a node of a cluster with the first command for it.
        await Promise.all(KEYS.map((key) => commands.run(key, 'GET', key)));
      });
      afterEach(() => opened.close());

      /** Waits until keys of all nodes are there again. */
      const recovered = (): Promise<void> =>
        until(() => {
          const answers = Promise.all(KEYS.slice(0, 10).map((key) => commands.run(key, 'SET', key, 'back')));
          return answers.then(
            () => connection.isReady,
            () => false,
          );
        });

      it('returns texts, numbers, lists and nothing, as they are', async () => {
        expect(connection.isReady).toBe(true);
        expect(readText(await commands.run('key', 'GET', 'key'))).toBeUndefined();
        expect(readText(await commands.run('key', 'SET', 'key', LONG_TEXT))).toBe('OK');
        expect(readText(await commands.run('key', 'GET', 'key')) === LONG_TEXT).toBe(true);
        expect(Number(await commands.run('key', 'EXISTS', 'key'))).toBe(1);
        const list = new Script(`return {'a', false, {'b', 7}, ''}`);
        expect(await commands.evaluate(list, ['key'])).toEqual(['a', null, ['b', 7], '']);
      });

      it('rejects with the words of Redis', async () => {
        await commands.evaluate(PUSH, ['list'], 'one');
        await expect(connection.command('list', ['GET', 'list'])).rejects.toThrow(/^WRONGTYPE/);
        await expect(connection.command('key', ['EVALSHA', '0'.repeat(40), '1', 'key'])).rejects.toThrow(/^NOSCRIPT/);
        await expect(commands.run('list', 'GET', 'list')).rejects.toThrow(StoreAway);
      });

      it('sends the text of a script only if Redis does not know it', async () => {
        await atAll('SCRIPT', 'FLUSH');
        await atAll('CONFIG', 'RESETSTAT');
        for (const word of ['one', 'two', 'three']) await commands.evaluate(PUSH, ['list'], word);
        expect([await sumOf('cmdstat_eval:calls='), await sumOf('cmdstat_evalsha:calls=')]).toEqual([1, 3]);
      });

      it('runs scripts in their order, also while Redis forgets them', async () => {
        const words = Array.from({ length: 100 }, (_each, index) => `${index}`);
        const pushed = words.map((word) => commands.evaluateInOrder(PUSH, ['list'], word));
        await Promise.all([...pushed, atAll('SCRIPT', 'FLUSH')]);
        expect(await commands.run('list', 'LRANGE', 'list', '0', '-1')).toEqual(words);
      });

      it('answers each of many commands that are sent at once, at the node of its key', async () => {
        await Promise.all(KEYS.map((key) => commands.run(key, 'SET', key, `of ${key}`)));
        const texts = await Promise.all(KEYS.map((key) => commands.run(key, 'GET', key)));
        expect(texts.map(readText)).toEqual(KEYS.map((key) => `of ${key}`));
        const sizes = await atAll('DBSIZE');
        expect(sizes.every((size) => Number(size) > 0)).toBe(true);
      });

      it('runs a script with several keys of one slot', async () => {
        await commands.run('{slot}:a', 'SET', '{slot}:a', 'one');
        await commands.run('{slot}:b', 'SET', '{slot}:b', 'two');
        expect(await commands.evaluate(BOTH, ['{slot}:a', '{slot}:b'])).toEqual(['one', 'two']);
      });

      it('goes on after it was cut while commands were pending', async () => {
        const pending = Promise.allSettled(KEYS.map((key) => commands.run(key, 'SET', key, 'one')));
        await atAll('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
        for (const each of await pending) if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(StoreAway);
        await recovered();
      });

      it('has no answer in time from a Redis that stands still, and has answers afterwards', async () => {
        for (const node of nodes) node.pause();
        const unanswered = expect(commands.run('key', 'GET', 'key')).rejects.toMatchObject({
          cause: `There was no answer in ${TIMEOUT} ms (commandTimeout).`,
        });
        await clock.advance(TIMEOUT);
        await unanswered.finally(() => nodes.forEach((node) => node.resume()));
        await recovered();
      });

      it('leads elsewhere when it is renewed, and never throws', async () => {
        const before = await sumOf('total_connections_received:');
        connection.renew();
        await until(async () => (await sumOf('total_connections_received:')) > before);
        await recovered();
        opened.close();
        connection.renew();
      });

      it('settles all that is pending when its client is closed, and what is sent later', async () => {
        const pending = KEYS.map((key) => commands.run(key, 'GET', key));
        opened.close();
        const settled = Promise.allSettled([...pending, commands.run('key', 'GET', 'key')]);
        // A client of a cluster that is asking for the slots when it is closed forgets what it would have sent after that.
        await clock.advance(TIMEOUT);
        const outcomes = await settled;
        expect(outcomes.map(({ status }) => status).at(-1)).toBe('rejected');
        for (const each of outcomes) if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(StoreAway);
      });

      it.each(['channel', 'channel:{slot}'])(
        'hears what is published on a channel until it leaves: %s',
        async (channel) => {
          const heard: string[] = [];
          const connections = async (): Promise<number> => (await atAll('CLIENT', 'LIST')).join('').split('id=').length;
          const before = await connections();
          const events = { heard: (...words: string[]) => void heard.push(words.join(' ')), ready: () => undefined };
          const [subscriber, unopened] = [connection.openSubscriber(events), connection.openSubscriber(events)];
          unopened.opened.catch(() => undefined);
          unopened.close();
          await subscriber.opened;
          await until(() => subscriber.isReady);
          const publish = async (to: string, text: string): Promise<unknown> =>
            commands.run(to, to.includes('{') ? commands.publishing : 'PUBLISH', to, text);
          for (const each of [channel, 'last', 'last:{slot}']) await subscriber.subscribe(each);
          await publish(channel, '"日本語" 🎈');
          await until(() => heard.length > 0);
          await subscriber.unsubscribe(channel);
          await publish(channel, 'too late');
          for (const last of ['last', 'last:{slot}']) await publish(last, '');
          await until(() => heard.length > 2);
          expect(heard.sort()).toEqual([`${channel} "日本語" 🎈`, 'last ', 'last:{slot} ']);
          subscriber.close();
          await until(async () => (await connections()) === before);
        },
      );

      it.each(['channel', 'channel:{slot}'])('wakes whoever leaves and watches again at once: %s', async (channel) => {
        const wakeUps = new WakeUps(connection, { commandTimeout: TIMEOUT, interval: TIMEOUT, clock });
        const publish = channel.includes('{') ? commands.publishing : 'PUBLISH';
        let stop = await wakeUps.watch(channel, () => undefined);
        for (let turn = 0; turn < 10; turn++) {
          stop();
          let wakes = 0;
          stop = await wakeUps.watch(channel, () => wakes++);
          // The answers of both commands have arrived.
          (await wakeUps.watch('another:{slot}', () => undefined))();
          await commands.run(channel, publish, channel, '');
          await until(() => wakes > 0);
        }
        stop();
        wakeUps.close();
      });

      it('notifies the followers of topics of what was announced while their connections were broken', async () => {
        const stores = redis({
          client: opened.client,
          namespace: 'topics',
          clock,
          commandTimeout: TIMEOUT,
          deadAfter: TIMEOUT,
        });
        const topics = stores.bus.topics as TopicBus;
        const heard = new Map<string, string>();
        const channels = async (): Promise<number> => {
          const all = [await atAll('PUBSUB', 'CHANNELS', '*{t:*'), await atAll('PUBSUB', 'SHARDCHANNELS', '*{t:*')];
          return new Set(all.flat(2)).size;
        };
        const stops = TOPICS.map((topic) => topics.follow(topic, (change) => heard.set(topic, change)));
        for (const turn of ['one', 'two', 'three']) {
          await until(async () => (await channels()) === TOPICS.length);
          await atAll('CLIENT', 'KILL', 'TYPE', 'pubsub');
          await Promise.all(TOPICS.map(async (topic) => topics.announce(topic, turn)));
          await until(() => TOPICS.every((topic) => heard.get(topic) === turn));
        }
        stops.forEach((stop) => stop());
        await until(async () => (await channels()) === 0);
        await stores.close();
      });

      if (place === 'a server')
        it('wakes who watches while Redis goes and comes back, and whenever something is published then', async () => {
          const wakeUps = new WakeUps(connection, { commandTimeout: TIMEOUT, interval: TIMEOUT, clock });
          const woken: (string | undefined)[] = [];
          const stop = await wakeUps.watch('channel:{slot}', (message) => woken.push(message));
          await Promise.all(nodes.map((node) => node.kill()));
          await until(() => !connection.isReady);
          // No time passes.
          await expect(commands.run('key', 'GET', 'key')).rejects.toMatchObject({ cause: 'There is no connection.' });
          await Promise.all(nodes.map((node) => node.run()));
          await recovered();
          await until(() => woken.includes(undefined));
          await until(async () => {
            await commands.run('channel:{slot}', commands.publishing, 'channel:{slot}', 'back');
            return woken.includes('back');
          });
          stop();
          wakeUps.close();
        });

      if (place === 'a cluster')
        it('finds a key whose slot has moved to another node, and gives no script the keys of two', async () => {
          const [first, last] = [nodes[0], nodes.at(-1)];
          if (!first || !last) throw new Error('There are no nodes.');
          // The last slot is at the last node.
          const slots = await Promise.all(
            KEYS.map(async (key) => Number(await first.command('CLUSTER', 'KEYSLOT', key))),
          );
          const key = KEYS[slots.indexOf(Math.max(...slots))] ?? '';
          const move = async (from: RedisServer, to: RedisServer): Promise<void> => {
            const [fromId, toId] = [await from.command('CLUSTER', 'MYID'), await to.command('CLUSTER', 'MYID')].map(
              String,
            );
            const words = ['CLUSTER', 'SETSLOT', `${Math.max(...slots)}`];
            await to.command(...words, 'IMPORTING', fromId ?? '');
            await from.command(...words, 'MIGRATING', toId ?? '');
            for (const node of [to, from]) await node.command(...words, 'NODE', toId ?? '');
          };
          await move(last, first);
          await commands.run(key, 'SET', key, 'moved');
          expect(await first.command('GET', key)).toBe('moved');
          await first.command('DEL', key);
          await move(first, last);
          await expect(commands.evaluate(BOTH, ['{a}', '{b}'])).rejects.toMatchObject({
            cause: expect.objectContaining({ message: expect.stringContaining('CROSSSLOT') }),
          });
        });
    });
  });
});

describeWith('redis-server', 'a subscriber whose client does not try again', () => {
  it('says that it was not opened, and can be closed', async () => {
    const server = await RedisServer.start();
    const client = createClient({ url: server.url, socket: { reconnectStrategy: false } });
    client.on('error', () => undefined);
    await client.connect();
    await server.kill();
    const subscriber = connectionOf(client, { commandTimeout: TIMEOUT, clock: new ManualClock() }).openSubscriber({
      heard: () => undefined,
      ready: () => undefined,
    });
    await expect(subscriber.opened).rejects.toThrow();
    expect(subscriber.isReady).toBe(false);
    subscriber.close();
    await server.stop();
  });
});
