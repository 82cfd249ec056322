/** The clients that people have, as they are set up by them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, createCluster } from '@redis/client';
import { Cluster, Redis } from 'ioredis';
import type { RedisClient } from '@sigil-mcp/redis';
import { sample } from '../matrix';
import { RedisServer } from './redis-server';

/** A client that is connected. */
export interface OpenClient {
  readonly client: RedisClient;
  close(): unknown;
}

/** Where a Redis is. */
export type RedisAddress = Pick<RedisServer, 'url' | 'port'>;

/** A library's client of one server. */
export const CLIENTS: Readonly<Record<string, (server: RedisAddress) => Promise<OpenClient>>> = {
  'node-redis': async ({ url }) => {
    const client = createClient({ url, socket: { reconnectStrategy: 50 } });
    client.on('error', () => undefined);
    await client.connect();
    return { client, close: () => client.destroy() };
  },
  ioredis: ({ url }) => {
    const client = new Redis(url, { retryStrategy: () => 50 });
    client.on('error', () => undefined);
    return Promise.resolve({ client, close: () => client.disconnect() });
  },
};

/** A library's client of a cluster. */
export const CLUSTER_CLIENTS: Readonly<Record<string, (server: RedisAddress) => Promise<OpenClient>>> = {
  'node-redis': async ({ url }) => {
    const client = createCluster({ rootNodes: [{ url }] });
    client.on('error', () => undefined);
    await client.connect();
    return { client, close: () => client.destroy() };
  },
  ioredis: ({ port }) => {
    const client = new Cluster([{ host: '127.0.0.1', port }]);
    client.on('error', () => undefined);
    return Promise.resolve({ client, close: () => client.disconnect() });
  },
};

/** One server that has all slots: it refuses commands whose keys are of several. */
export async function startCluster(): Promise<RedisServer> {
  const server = await RedisServer.startNode();
  await server.command('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
  while (!String(await server.command('CLUSTER', 'INFO')).includes('cluster_state:ok')) await sleep(20);
  return server;
}

/** The clients of one server that this run tests: what each promises is in packages/redis/test/connections.spec.ts. */
export const TESTED_CLIENTS = sample(Object.entries(CLIENTS));

/** A library's client of a server or of a cluster, with a way to start one. */
export interface ClientKind {
  readonly name: string;
  readonly isCluster: boolean;
  readonly start: () => Promise<RedisServer>;
  readonly open: (server: RedisAddress) => Promise<OpenClient>;
}

/** The kinds of clients that this run tests. */
export const TESTED_KINDS: readonly ClientKind[] = sample([
  ...Object.entries(CLIENTS).map(([name, open]) => ({
    name,
    open,
    isCluster: false,
    start: () => RedisServer.start(),
  })),
  ...Object.entries(CLUSTER_CLIENTS).map(([name, open]) => ({
    ...{ name: `${name} in a cluster`, open, isCluster: true, start: startCluster },
  })),
]);
