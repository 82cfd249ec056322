/** What a published message costs the nodes of a cluster: those that pass it on, those that read it, and for each connection that hears it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@redis/client';
import type { BusCost } from '../model/costs';
import type { Counts, RedisCluster } from './redis-cluster';

/** Messages that are published for each figure, so many at once. */
const MESSAGES = 10_000;
const AT_ONCE = 20;
/** Connections that hear them. */
const LISTENERS = 20;
const CHANNEL = 'simulated:{measured}:channel';

/** What is measured with published messages. */
export type PublishCost = Omit<BusCost, 'gossip' | 'unused' | 'unusedReplica'>;

/** Publishes to all nodes and to many connections, and compares with commands that publish nothing. */
export async function measureBus(redis: RedisCluster): Promise<PublishCost> {
  const publish = (word: string): Promise<readonly Counts[]> => publishAll(redis, word);
  const nothing = await publish('ECHO');
  const toAll = await publish('PUBLISH');
  const subscribers = await Promise.all(
    Array.from({ length: LISTENERS }, async () => {
      const subscriber = createClient({ url: redis.nodes[0]?.server.url ?? '' });
      await subscriber.connect();
      await subscriber.subscribe(CHANNEL, () => undefined);
      return subscriber;
    }),
  );
  const heard = await publish('PUBLISH');
  for (const subscriber of subscribers) subscriber.destroy();
  const others = redis.nodes.length - 1;
  const cpu = (counts: readonly Counts[], node: number): number => (counts[node]?.get('cpu') ?? 0) / MESSAGES;
  const bytes = toAll.slice(1).map((counts) => (counts.get('bus') ?? 0) / MESSAGES);
  const received = toAll.slice(1).map((_, index) => cpu(toAll, index + 1) - cpu(nothing, index + 1));
  return {
    bytes: Math.round(mean(bytes)),
    send: round((cpu(toAll, 0) - cpu(nothing, 0)) / others),
    receive: round(mean(received)),
    push: round((cpu(heard, 0) - cpu(toAll, 0)) / LISTENERS),
  };
}

/** What each node has counted meanwhile. */
async function publishAll({ nodes }: RedisCluster, word: string): Promise<readonly Counts[]> {
  const [first] = nodes;
  const words = word === 'ECHO' ? [CHANNEL] : [CHANNEL, ''];
  const before = await Promise.all(nodes.map((node) => node.counts()));
  for (let sent = 0; sent < MESSAGES; sent += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, async () => first?.run(word, ...words)));
  await sleep(200);
  const after = await Promise.all(nodes.map((node) => node.counts()));
  return after.map((counts, index) => {
    const difference = [...counts].map(([name, count]) => [name, count - (before[index]?.get(name) ?? 0)] as const);
    return new Map(difference);
  });
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function round(value: number): number {
  return Math.max(0, Math.round(value * 100) / 100);
}
