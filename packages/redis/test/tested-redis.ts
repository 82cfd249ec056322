/** A Redis that things happen to, the stores in it, and the instances that hear of what happens. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BusListener, MaybePromise, Stores } from '@sigil-mcp/core/stores';
import { redis, type RedisOptions } from '@sigil-mcp/redis';
import { RedisServer } from '../../../test/supplies/redis-server';
import { command, type OpenClient } from './clients';

/** What an instance hears, in its order. */
export class Ears implements BusListener {
  readonly heard: string[] = [];
  /** Where the changes stand. */
  readonly positions: string[] = [];

  message(text: string): void {
    this.heard.push(`message ${text}`);
  }

  change(text: string, position: string): void {
    this.heard.push(text);
    this.positions.push(position);
  }

  lost(count: number | undefined): void {
    this.heard.push(`lost ${count}`);
  }

  missed(): void {
    this.heard.push('missed');
  }

  /** Waits until so much was heard, or for three seconds. */
  async hear(count: number): Promise<readonly string[]> {
    for (let waited = 0; waited < 300 && this.heard.length < count; waited++) await sleep(10);
    return this.heard;
  }
}

/** A Redis of one test. */
export class TestedRedis {
  readonly #made: Stores[] = [];
  readonly #leaves: (() => MaybePromise<void>)[] = [];

  private constructor(
    readonly server: RedisServer,
    readonly opened: OpenClient,
  ) {}

  static async start(open: (server: RedisServer) => Promise<OpenClient>): Promise<TestedRedis> {
    const server = await RedisServer.start();
    return new TestedRedis(server, await open(server));
  }

  /** Stores that have little patience, until the test is over. */
  make(options: Partial<RedisOptions> = {}): Stores {
    const stores = redis({ client: this.opened.client, commandTimeout: 300, deadAfter: 900, ...options });
    this.#made.push(stores);
    return stores;
  }

  /** Joins until the test is over. */
  async join(stores: Stores, instance: string): Promise<Ears> {
    const ears = new Ears();
    this.#leaves.push(await stores.bus.join(instance, ears));
    return ears;
  }

  /** Sends a command on a connection beside those that are tested. */
  command(...words: readonly string[]): Promise<unknown> {
    return command(this.server, ...words);
  }

  /** Waits for what fixes itself. */
  async recovered(stores: Stores): Promise<void> {
    for (let tries = 0; tries < 100; tries++) {
      try {
        return void (await stores.sessions.use('nobody', 60_000));
      } catch {
        await sleep(30);
      }
    }
  }

  async stop(): Promise<void> {
    await Promise.allSettled(this.#leaves.map(async (leave) => leave()));
    await Promise.all(this.#made.map(async (stores) => stores.close()));
    this.opened.close();
    await this.server.stop();
  }
}
