/** A real cluster of several nodes for tests: masters with the slots in equal parts, and a replica of each if wanted. */
import { setTimeout as sleep } from 'node:timers/promises';
import { RedisServer, type ClusterNode } from './redis-server';

const SLOTS = 16_384;
/** Milliseconds after which a node that does not answer counts as failed: on a busy machine, each may be late by seconds. */
const NODE_TIMEOUT = '60000';

/** Nodes that run until they are stopped. */
export class RedisNodes {
  private constructor(
    readonly masters: readonly ClusterNode[],
    readonly replicas: readonly ClusterNode[],
  ) {}

  /** Starts masters, and a replica of each if wanted; resolves when all nodes know each other. */
  static async start(masters: number, { hasReplicas = false } = {}): Promise<RedisNodes> {
    const start = (count: number): Promise<ClusterNode[]> => Promise.all(Array.from({ length: count }, startNode));
    const nodes = new RedisNodes(await start(masters), await start(hasReplicas ? masters : 0));
    await nodes.#join();
    return nodes;
  }

  /** All nodes, the masters first. */
  get all(): readonly ClusterNode[] {
    return [...this.masters, ...this.replicas];
  }

  /** Kills a master; resolves when its replica has taken its place. No node has to find out by itself that it has failed. */
  async fail(master: RedisServer): Promise<void> {
    const replica = this.replicas[this.masters.findIndex(({ port }) => port === master.port)];
    if (!replica) throw new Error('This is no master with a replica.');
    await master.kill();
    await replica.command('CLUSTER', 'FAILOVER', 'TAKEOVER');
    while (!String(await replica.command('INFO', 'replication')).includes('role:master')) await sleep(50);
  }

  async stop(): Promise<void> {
    await Promise.all(this.all.map((node) => node.stop()));
  }

  async #join(): Promise<void> {
    const [first] = this.masters;
    for (const [index, node] of this.masters.entries()) {
      const from = (bound: number): number => Math.round((SLOTS * bound) / this.masters.length);
      await node.command('CLUSTER', 'ADDSLOTSRANGE', `${from(index)}`, `${from(index + 1) - 1}`);
    }
    for (const node of this.all.slice(1))
      await node.command('CLUSTER', 'MEET', '127.0.0.1', `${first?.port}`, `${first?.busPort}`);
    await this.#untilAll((info) => info.includes('cluster_state:ok') && this.#knowsAll(info));
    for (const [index, replica] of this.replicas.entries()) {
      const id = String(await (this.masters[index] ?? replica).command('CLUSTER', 'MYID'));
      await replica.command('CLUSTER', 'REPLICATE', id);
    }
    for (const replica of this.replicas)
      while (!String(await replica.command('INFO', 'replication')).includes('master_link_status:up')) await sleep(50);
  }

  #knowsAll(info: string): boolean {
    return info.includes(`cluster_known_nodes:${this.all.length}`);
  }

  async #untilAll(holds: (info: string) => boolean): Promise<void> {
    for (const node of this.all) while (!holds(String(await node.command('CLUSTER', 'INFO')))) await sleep(50);
  }
}

function startNode(): Promise<ClusterNode> {
  return RedisServer.startNode('--cluster-node-timeout', NODE_TIMEOUT);
}
