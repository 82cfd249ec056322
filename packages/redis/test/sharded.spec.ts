/** What is published stays at the node of its slot, and nothing is published that nobody follows. In a real cluster of several nodes. */
import { Cluster } from 'ioredis';
import type { Stores } from '@sigil-mcp/core/stores';
import { redis } from '@sigil-mcp/redis';
import { ManualClock } from '@sigil-mcp/testing';
import { RedisNodes } from '../../../test/support/supplies/redis-nodes';
import type { RedisServer } from '../../../test/support/supplies/redis-server';
import { describeWith } from '../../../test/support/supplies/supply';
import { CLIENTS, CLUSTER_CLIENTS, type OpenClient } from '../../../test/support/supplies/redis-clients';
import { Ears } from './tested-redis';
import { sample } from '../../../test/support/matrix';
import { until } from '../../../test/support/until';

const STREAM = { session: 'session', stream: 'stream' };

/** How often each command was called by clients and scripts at all nodes. */
async function callsOf(nodes: readonly RedisServer[], name: string): Promise<number> {
  const counts = nodes.map(async (node) => {
    const [, calls = '0'] =
      new RegExp(`^cmdstat_${name}:calls=(\\d+)`, 'm').exec(String(await node.command('INFO', 'commandstats'))) ?? [];
    return Number(calls);
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

/** What each node has published so far, of both kinds. */
async function published(nodes: readonly RedisServer[]): Promise<{ readonly toNode: number; readonly toAll: number }> {
  return { toNode: await callsOf(nodes, 'spublish'), toAll: await callsOf(nodes, 'publish') };
}

let nodes: RedisNodes;
const opened: { close(): unknown }[] = [];
let number = 0;

/** Stores whose time stands still, so that only published messages wake them. */
function storesWith({ client, close }: OpenClient, namespace: string): Stores {
  const stores = redis({ client, namespace, commandTimeout: 20_000, deadAfter: 60_000, clock: new ManualClock() });
  opened.push({ close: async () => (await stores.close(), close()) });
  return stores;
}

async function storesOf(open: (server: RedisServer) => Promise<OpenClient>, server = nodes.all[0]): Promise<Stores> {
  if (!server) throw new Error('There is no node.');
  return storesWith(await open(server), `sharded${number}`);
}

/** A client of ioredis before 5.7, which has no option for sharded channels. */
async function oldIoRedis(server: RedisServer): Promise<OpenClient> {
  const client = new Cluster([{ host: '127.0.0.1', port: server.port }]);
  client.on('error', () => undefined);
  delete (client.options as Partial<typeof client.options>).shardedSubscribers;
  return { client, close: () => client.disconnect() };
}

describeWith('redis-server', 'published messages', () => {
  afterEach(async () => {
    for (const each of opened.splice(0).reverse()) await each.close();
    number++;
  });

  describe('in a cluster', () => {
    beforeAll(async () => void (nodes = await RedisNodes.start(3)));
    afterAll(() => nodes.stop());

    describe.each(sample(Object.entries(CLUSTER_CLIENTS)))('with a client of %s', (_, open) => {
      it('are none for a stream that nobody follows', async () => {
        const { streams } = await storesOf(open);
        const before = await published(nodes.all);
        await streams.open(STREAM, 'owner');
        for (const place of [0, 1, 2]) await streams.append(STREAM, place, ['event']);
        await streams.end(STREAM, 'last');
        expect(await published(nodes.all)).toEqual(before);
      });

      it('wake the followers of a stream through one node', async () => {
        const [one, other] = [await storesOf(open), await storesOf(open)];
        await one.streams.open(STREAM, 'owner');
        let wakes = 0;
        const stop = await other.streams.follow(STREAM, () => wakes++);
        const before = await published(nodes.all);
        await one.streams.append(STREAM, 0, ['event']);
        await until(() => wakes > 0);
        expect(await published(nodes.all)).toEqual({ ...before, toNode: before.toNode + 1 });
        stop();
      });

      it('notify the followers of a topic through one node, and nobody of a topic without followers', async () => {
        const [one, other] = [await storesOf(open), await storesOf(open)];
        const heard: string[] = [];
        const followed = await callsOf(nodes.all, 'ssubscribe');
        const stop = other.bus.topics?.follow('followed', (change) => heard.push(change));
        // The change shortly before is found when following begins.
        await one.bus.topics?.announce('followed', 'before');
        await until(() => heard.length === 1);
        await until(async () => (await callsOf(nodes.all, 'ssubscribe')) > followed);
        const before = await published(nodes.all);
        await one.bus.topics?.announce('other', 'change');
        await one.bus.topics?.announce('followed', 'change');
        await until(() => heard.at(-1) === 'change');
        expect(await published(nodes.all)).toEqual({ ...before, toNode: before.toNode + 1 });
        stop?.();
      });

      it('wake one instance through one node, and all instances through all of them', async () => {
        const [one, other] = [await storesOf(open), await storesOf(open)];
        const [ears, others] = [new Ears(), new Ears()];
        const leave = [await one.bus.join('a', ears), await other.bus.join('b', others)];
        const before = await published(nodes.all);
        expect(await one.bus.send('b', 'for one')).toBe(true);
        await until(() => others.heard.length === 1);
        expect(await published(nodes.all)).toEqual({ ...before, toNode: before.toNode + 1 });
        await one.bus.broadcast('for all');
        await until(() => ears.heard.length === 1 && others.heard.length === 2);
        expect(await published(nodes.all)).toEqual({ toNode: before.toNode + 1, toAll: before.toAll + 1 });
        for (const each of leave) await each();
      });
    });

    it('reach an instance whose client knows channels of all nodes only, as each instance says how it is reached', async () => {
      const [one, other] = [await storesOf(CLUSTER_CLIENTS['node-redis'] ?? oldIoRedis), await storesOf(oldIoRedis)];
      const [ears, others] = [new Ears(), new Ears()];
      const leave = [await one.bus.join('a', ears), await other.bus.join('b', others)];
      let wakes = 0;
      await one.streams.open(STREAM, 'owner');
      const stop = await other.streams.follow(STREAM, () => wakes++);
      expect(await one.bus.send('b', 'there')).toBe(true);
      expect(await other.bus.send('a', 'back')).toBe(true);
      await one.streams.append(STREAM, 0, ['event']);
      await until(() => ears.heard.length === 1 && others.heard.length === 1 && wakes > 0);
      stop();
      for (const each of leave) await each();
    });
  });

  it.each(sample(Object.entries(CLUSTER_CLIENTS)))(
    'still arrive after the node of their slot has failed, with a client of %s',
    async (_, open) => {
      nodes = await RedisNodes.start(3, { hasReplicas: true });
      opened.push({ close: () => nodes.stop() });
      const [one, other] = [await storesOf(open, nodes.masters[0]), await storesOf(open, nodes.masters[0])];
      const [ears, others] = [new Ears(), new Ears()];
      const leave = [await one.bus.join('a', ears), await other.bus.join('b', others)];
      const [node] = await withChannels();
      if (node) await nodes.fail(node);
      const isReached = async (): Promise<boolean> => {
        await Promise.resolve(other.bus.send('a', 'x')).catch(() => undefined);
        return ears.heard.length > 0;
      };
      await until(isReached);
      for (const each of leave) await Promise.resolve(each()).catch(() => undefined);
    },
    60_000,
  );

  it('go through the one server without a cluster', async () => {
    const [server] = (nodes = await RedisNodes.start(1)).all;
    opened.push({ close: () => nodes.stop() });
    for (const open of Object.values(CLIENTS)) {
      const { streams } = await storesOf(open, server);
      let wakes = 0;
      await streams.open(STREAM, 'owner');
      const stop = await streams.follow(STREAM, () => wakes++);
      await streams.append(STREAM, 0, ['event']);
      await until(() => wakes > 0);
      stop();
      number++;
    }
    expect(await published(nodes.all)).toEqual({ toNode: 0, toAll: 2 });
  });
});

/** The masters at which an instance is subscribed to a channel of its slot. */
async function withChannels(): Promise<readonly RedisServer[]> {
  const found: RedisServer[] = [];
  for (const node of nodes.masters) {
    const channels = (await node.command('PUBSUB', 'SHARDCHANNELS')) as string[];
    if (channels.some((channel) => channel.includes('{i:a}'))) found.push(node);
  }
  return found;
}
