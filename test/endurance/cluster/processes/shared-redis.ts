/** The Redis of a cluster, with everything that can happen to one. */
import { createClient } from '@redis/client';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { RedisServer } from '../../../support/supplies/redis-server';
import { NAMESPACE } from '../server/settings';

/** Milliseconds that a restarted Redis is away. */
const AWAY = 1000;

/** A Redis of its own that writes down everything at once, so that it can come back with it, or without. */
export class SharedRedis {
  readonly #client;

  private constructor(
    private readonly server: RedisServer,
    private readonly folder: string,
  ) {
    this.#client = createClient({ url: server.url, socket: { reconnectStrategy: 50 } });
    this.#client.on('error', () => undefined);
  }

  static async start(): Promise<SharedRedis> {
    const folder = mkdtempSync(join(tmpdir(), 'sigil-cluster-'));
    const log = ['--dir', folder, '--appendonly', 'yes', '--appendfsync', 'always'];
    const server = await RedisServer.start(...log, '--enable-debug-command', 'local');
    const redis = new SharedRedis(server, folder);
    await redis.#client.connect();
    return redis;
  }

  get url(): string {
    return this.server.url;
  }

  /** Kills it, and starts it again a while later with what it held. */
  async restart(): Promise<void> {
    await this.server.kill();
    await delay(AWAY);
    await this.server.run();
  }

  /** Kills it, and starts it again with nothing. */
  async empty(): Promise<void> {
    await this.server.kill();
    await delay(AWAY);
    rmSync(join(this.folder, 'appendonlydir'), { recursive: true, force: true });
    await this.server.run();
  }

  /** Cuts every connection that hears what is published. */
  async unsubscribe(): Promise<void> {
    await this.#client.sendCommand(['CLIENT', 'KILL', 'TYPE', 'pubsub']);
  }

  /** Holds it still for some seconds. */
  async sleep(seconds: number): Promise<void> {
    await this.#client.sendCommand(['DEBUG', 'SLEEP', `${seconds}`]);
  }

  /** What is kept for the cluster: the milliseconds that each key has left, -1 for ever. */
  async keys(): Promise<ReadonlyMap<string, number>> {
    const names = await this.#client.keys(`${NAMESPACE}:*`);
    return new Map(await Promise.all(names.map(async (name) => [name, await this.#client.pTTL(name)] as const)));
  }

  async stop(): Promise<void> {
    this.#client.destroy();
    await this.server.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
