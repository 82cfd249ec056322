/** Channels that are left and watched again at once, and connections for messages that break. */
import type { TopicBus } from '@sigil-mcp/core/stores';
import { redis } from '@sigil-mcp/redis';
import { Commands, connectionOf, WakeUps } from '@sigil-mcp/redis/adapter';
import { ManualClock } from '@sigil-mcp/testing';
import { RedisNodes } from '../../../test/support/supplies/redis-nodes';
import type { RedisServer } from '../../../test/support/supplies/redis-server';
import { CLIENTS, CLUSTER_CLIENTS, type OpenClient } from '../../../test/support/supplies/redis-clients';
import { describeWith } from '../../../test/support/supplies/supply';
import { until } from '../../../test/support/until';

const TOPICS = Array.from({ length: 12 }, (_, index) => `topic ${index}`);
/** The kinds of publishing, with the command that shows how many channels a node has. */
const CHANNELS = ['CHANNELS', 'SHARDCHANNELS'];

describeWith('redis-server', 'channels', () => {
  describe.each([1, 3])('at %s nodes', (count) => {
    let nodes: RedisNodes;
    beforeAll(async () => void (nodes = await RedisNodes.start(count)));
    afterAll(() => nodes.stop());

    /** The channels of topics at all nodes. */
    async function channels(): Promise<number> {
      const found = new Set<string>();
      for (const node of nodes.all)
        for (const kind of CHANNELS)
          for (const channel of (await node.command('PUBSUB', kind)) as string[])
            if (channel.includes('{t:')) found.add(channel);
      return found.size;
    }

    const clients = Object.entries(count === 1 ? CLIENTS : CLUSTER_CLIENTS);
    describe.each(clients)('with a client of %s', (library, open) => {
      /** Nothing is found by a look: the time stands still. */
      const limits = { commandTimeout: 20_000, interval: 20_000, clock: new ManualClock() };
      let opened: OpenClient;
      beforeEach(async () => void (opened = await open(nodes.all[0] as RedisServer)));
      afterEach(() => opened.close());

      it.each(['channel', 'channel:{slot}'])('wake whoever leaves and watches again at once: %s', async (channel) => {
        const connection = connectionOf(opened.client);
        const commands = new Commands(connection, { ...limits, pendingCommands: 100 });
        const wakeUps = new WakeUps(connection, limits);
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

      it('notify the followers of topics of what was announced while their connections were broken', async () => {
        const { clock } = limits;
        const stores = redis({ ...opened, namespace: library, clock, commandTimeout: 20_000, deadAfter: 60_000 });
        const topics = stores.bus.topics as TopicBus;
        const heard = new Map<string, string>();
        const stops = TOPICS.map((topic) => topics.follow(topic, (change) => heard.set(topic, change)));
        for (const turn of ['one', 'two', 'three']) {
          await until(async () => (await channels()) === TOPICS.length);
          for (const node of nodes.all) await node.command('CLIENT', 'KILL', 'TYPE', 'pubsub');
          await Promise.all(TOPICS.map(async (topic) => topics.announce(topic, turn)));
          await until(() => TOPICS.every((topic) => heard.get(topic) === turn));
        }
        stops.forEach((stop) => stop());
        await until(async () => (await channels()) === 0);
        await stores.close();
      });
    });
  });
});
