/** A cluster of Redis on this machine: three or four nodes with slots, and a replica of each. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { RedisServer, type ClusterNode } from '../../../support/supplies/redis-server';

/** Counters by their names. */
export type Counts = ReadonlyMap<string, number>;

/** How slots are given to nodes: the same number to each of three, or to four by what their keys belong to. */
export type Layout = 'even' | 'by place';

/** The nodes with slots of a cluster `by place`, in their order, by what their keys belong to. */
export const PLACES = ['session', 'inbox', 'shared', 'topic'] as const;
/** The place of the node for resources among them. */
export const TOPIC = PLACES.indexOf('topic');

const SLOTS = 16_384;
/** In a cluster `by place`, the slots from this one on are for resources: the fewer there are, the fewer sessions have one of them. */
export const TOPIC_SLOTS = SLOTS - 64;
/** The bounds of the slots of each node. By place, one without slots would not be counted as one of the cluster, so each gets one to begin with. */
const BOUNDS: Readonly<Record<Layout, readonly number[]>> = {
  even: [0, 5461, 10_922, SLOTS],
  'by place': [0, TOPIC_SLOTS - 2, TOPIC_SLOTS - 1, TOPIC_SLOTS, SLOTS],
};
/** Milliseconds until all nodes know each other. */
const PATIENCE = 20_000;
/** Commands of replicas, of clients that connect, and of those who ask for counters: not of the work that is measured. */
const ASIDE = /^(?:info|ping|replconf|psync|hello|command|cluster|client|config|select|wait|keys)\b/;

/** A node, and a client that reads its counters. */
export class RedisNode {
  /** Bytes that reading the counters has taken so far. */
  #own = 0;

  private constructor(
    readonly server: ClusterNode,
    private readonly client: Pick<ReturnType<typeof createClient>, 'sendCommand' | 'destroy'>,
    private readonly pid: string,
  ) {}

  static async start(): Promise<RedisNode> {
    // Nodes that know little of each other find out faster with a short timeout.
    const joining = ['--cluster-node-timeout', '1000', '--cluster-allow-replica-migration', 'no'];
    const server = await RedisServer.startNode(...joining);
    const client = createClient({ url: server.url });
    client.on('error', () => undefined);
    await client.connect();
    const [, pid = ''] = /process_id:(\d+)/.exec(await client.info('server')) ?? [];
    return new RedisNode(server, client, pid);
  }

  async run(...words: readonly string[]): Promise<unknown> {
    return this.client.sendCommand(words);
  }

  /** Resolves when what a command returns has a text, and rejects if it does not in time. */
  async until(text: string, ...words: readonly string[]): Promise<void> {
    const began = performance.now();
    for (;;) {
      const answer = String(await this.run(...words));
      if (answer.includes(text)) return;
      if (performance.now() - began > PATIENCE) throw new Error(`${words.join(' ')} has no ${text}: ${answer}`);
      await sleep(50);
    }
  }

  /**
   * `calls <command>` also counts those in scripts; `in` and `out` are bytes of clients and replication, `bus` those from other nodes of
   * the cluster; `cpu` is in microseconds; `memory` is in bytes, and may become less.
   */
  async counts(): Promise<Counts> {
    const text = String(await this.run('INFO', 'everything'));
    const valueOf = (name: string): number => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(text)?.[1] ?? 0);
    const read = valueOf('total_net_input_bytes');
    const counts = new Map([
      ['in', read],
      ['out', valueOf('total_net_output_bytes') - this.#own],
      ['bus', this.#readBytes() - read],
      ['cpu', 1e6 * (valueOf('used_cpu_sys') + valueOf('used_cpu_user'))],
      ['memory', valueOf('used_memory')],
      ['version', Number.parseFloat(/redis_version:(\d+\.\d+)/.exec(text)?.[1] ?? '')],
    ]);
    this.#own += Buffer.byteLength(text);
    for (const [, name = '', calls] of text.matchAll(/^cmdstat_([\w|-]+):calls=(\d+)/gm))
      if (!ASIDE.test(name)) counts.set(`calls ${name}`, Number(calls));
    return counts;
  }

  async stop(): Promise<void> {
    this.client.destroy();
    await this.server.stop();
  }

  /** All bytes that the process has read: Redis does not count those of the bus. */
  #readBytes(): number {
    return Number(/rchar: (\d+)/.exec(readFileSync(`/proc/${this.pid}/io`, 'utf8'))?.[1]);
  }
}

/** All nodes. */
export class RedisCluster {
  readonly #moved = new Set<number>();

  /** @param nodes those with slots first, then their replicas in the same order */
  private constructor(readonly nodes: readonly RedisNode[]) {}

  static async start(layout: Layout): Promise<RedisCluster> {
    const shards = BOUNDS[layout].length - 1;
    const nodes = await Promise.all(Array.from({ length: 2 * shards }, () => RedisNode.start()));
    const cluster = new RedisCluster(nodes);
    try {
      await cluster.#join(layout);
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    return cluster;
  }

  get #shards(): number {
    return this.nodes.length / 2;
  }

  get ports(): readonly number[] {
    return this.nodes.map(({ server }) => server.port);
  }

  /**
   * Of a cluster `by place`: moves the slots that all instances share, and those of their inboxes, to their nodes.
   * @param shared keys that may not exist all the time
   */
  async arrange(shared: readonly string[]): Promise<void> {
    const [first] = this.nodes as readonly [RedisNode];
    const keys = ((await first.run('KEYS', '*')) as unknown[]).map(String);
    const places = [
      keys.filter((key) => key.includes('{i:')),
      [...keys.filter((key) => !key.includes('{')), ...shared],
    ];
    for (const [index, some] of places.entries()) {
      const slots = await Promise.all(some.map((key) => first.run('CLUSTER', 'KEYSLOT', key)));
      for (const slot of new Set(slots.map(Number))) if (!this.#moved.has(slot)) await this.#move(slot, index + 1);
    }
  }

  /** @throws Error if a key lies at the node of another place: then it is unknown what was counted there */
  async checkPlaces(): Promise<void> {
    // Some sessions have slots of resources: too few to count.
    for (const [index, known] of [[0, /\{(?![it]:)/] as const, [TOPIC, /\{(?!i:)/] as const]) {
      const keys = ((await this.nodes[index]?.run('KEYS', '*')) as unknown[]).map(String);
      const strange = keys.filter((key) => !known.test(key));
      if (strange.length > 0)
        throw new Error(`These keys are at the node of a ${PLACES[index]}: ${strange.join(', ')}.`);
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.stop()));
  }

  async #join(layout: Layout): Promise<void> {
    const bounds = BOUNDS[layout];
    for (const [index, node] of this.nodes.slice(0, this.#shards).entries())
      await node.run('CLUSTER', 'ADDSLOTSRANGE', `${bounds[index]}`, `${(bounds[index + 1] ?? SLOTS) - 1}`);
    for (const node of this.nodes)
      for (const { server } of this.nodes)
        await node.run('CLUSTER', 'MEET', '127.0.0.1', `${server.port}`, `${server.busPort}`);
    for (const node of this.nodes) await node.until(`cluster_known_nodes:${this.nodes.length}`, 'CLUSTER', 'INFO');
    for (const [index, master] of this.nodes.slice(0, this.#shards).entries()) {
      const id = String(await master.run('CLUSTER', 'MYID'));
      const replica = this.nodes[this.#shards + index] as RedisNode;
      await replica.until(id, 'CLUSTER', 'NODES');
      await replica.run('CLUSTER', 'REPLICATE', id);
      await replica.until('master_link_status:up', 'INFO', 'replication');
    }
    for (const node of this.nodes) {
      await node.until('cluster_state:ok', 'CLUSTER', 'INFO');
      await node.until(`cluster_size:${this.#shards}`, 'CLUSTER', 'INFO');
    }
    for (const node of this.nodes) await node.run('CONFIG', 'SET', 'cluster-node-timeout', '15000');
  }

  /** Moves a slot of the first node, with its keys. */
  async #move(slot: number, to: number): Promise<void> {
    this.#moved.add(slot);
    const [from, target] = [this.nodes[0] as RedisNode, this.nodes[to] as RedisNode];
    const [fromId, toId] = [await from.run('CLUSTER', 'MYID'), await target.run('CLUSTER', 'MYID')].map(String);
    const set = (node: RedisNode, ...words: string[]): Promise<unknown> =>
      node.run('CLUSTER', 'SETSLOT', `${slot}`, ...words);
    await set(target, 'IMPORTING', fromId ?? '');
    await set(from, 'MIGRATING', toId ?? '');
    const keys = ((await from.run('CLUSTER', 'GETKEYSINSLOT', `${slot}`, '1000')) as unknown[]).map(String);
    if (keys.length > 0)
      await from.run('MIGRATE', '127.0.0.1', `${target.server.port}`, '', '0', '5000', 'KEYS', ...keys);
    for (const node of [target, from, ...this.nodes.slice(1, this.#shards)]) await set(node, 'NODE', toId ?? '');
  }
}
