/**
 * A Redis that things happen to, the stores in it, and the instances that hear of what happens. The time of the stores stands still
 * until a test moves it: on a busy machine nothing is late, and what is waited for is a state. Redis has its own time, so that what
 * it keeps is kept for long here, and is taken away by a command.
 */
import type { BusListener, MaybePromise, Stores } from '@sigil-mcp/core/stores';
import { redis, type RedisOptions } from '@sigil-mcp/redis';
import { ManualClock } from '@sigil-mcp/testing';
import { until } from '../../../test/support/until';
import { RedisServer } from '../../../test/support/supplies/redis-server';
import type { OpenClient } from '../../../test/support/supplies/redis-clients';

/** The time limits of the stores that are tested, milliseconds. */
export const COMMAND_TIMEOUT = 50_000;
export const DEAD_AFTER = 60_000;
/** The limits of stores whose time is real: on a busy machine nothing is late, and nobody is taken for dead. */
export const PATIENT = { commandTimeout: 600_000, deadAfter: 300_000 };
/** Milliseconds between two looks at everything: what is published may be lost with its connection. */
export const LOOK = DEAD_AFTER / 3;
/** How often a test asks before it lets the stores look. */
const UNTIL_LOOK = 100;

/** As `until`, for what may come with the next look alone. */
export async function untilSeen(clock: ManualClock, holds: () => MaybePromise<boolean>): Promise<void> {
  let asked = 0;
  await until(async () => {
    if (await holds()) return true;
    if (++asked % UNTIL_LOOK > 0) return false;
    await clock.advance(LOOK);
    return holds();
  });
}

/** What an instance hears, in its order. */
export class Ears implements BusListener {
  readonly heard: string[] = [];
  /** Where the changes stand. */
  readonly positions: string[] = [];

  constructor(private readonly clock = new ManualClock()) {}

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

  /** Waits until so much was heard, or for long. */
  async hear(count: number): Promise<readonly string[]> {
    await untilSeen(this.clock, () => this.heard.length >= count).catch(() => undefined);
    return this.heard;
  }
}

/** A Redis that each test of a suite finds empty, with a client and a clock of its own. */
export class TestedRedis {
  #server: RedisServer | undefined;
  #opened: OpenClient | undefined;
  #clock = new ManualClock();
  readonly #made: Stores[] = [];
  readonly #leaves: (() => MaybePromise<void>)[] = [];

  private constructor(private readonly open: (server: RedisServer) => Promise<OpenClient>) {}

  /** Declares one for the suite in which it is called. */
  static forSuite(open: (server: RedisServer) => Promise<OpenClient>): TestedRedis {
    const tested = new TestedRedis(open);
    beforeAll(async () => void (tested.#server = await RedisServer.start()));
    beforeEach(() => tested.#begin());
    afterEach(() => tested.#end());
    afterAll(() => tested.server.stop());
    return tested;
  }

  get server(): RedisServer {
    if (!this.#server) throw new Error('Redis is not started.');
    return this.#server;
  }

  get opened(): OpenClient {
    if (!this.#opened) throw new Error('There is no client.');
    return this.#opened;
  }

  /** The time of the stores. */
  get clock(): ManualClock {
    return this.#clock;
  }

  /** Stores until the test is over. */
  make(options: Partial<RedisOptions> = {}): Stores {
    const { client } = this.opened;
    const { clock } = this;
    const stores = redis({ client, clock, commandTimeout: COMMAND_TIMEOUT, deadAfter: DEAD_AFTER, ...options });
    this.#made.push(stores);
    return stores;
  }

  /** Joins until the test is over. */
  async join(stores: Stores, instance: string): Promise<Ears> {
    const ears = new Ears(this.clock);
    this.#leaves.push(await stores.bus.join(instance, ears));
    return ears;
  }

  /** Sends a command on a connection beside those that are tested. */
  command(...words: readonly string[]): Promise<unknown> {
    return this.server.command(...words);
  }

  /** Waits until the client has seen that the connection is gone. */
  async gone(): Promise<void> {
    // Each library has one of the two.
    const client = this.opened.client as { readonly isReady?: boolean; readonly status?: string };
    await until(() => !(client.isReady ?? client.status === 'ready'));
  }

  /** Waits until the stores can be used again. */
  async recovered(stores: Stores): Promise<void> {
    await until(() =>
      use(stores).then(
        () => true,
        () => false,
      ),
    );
  }

  async #begin(): Promise<void> {
    await this.server.reset();
    this.#clock = new ManualClock();
    this.#opened = await this.open(this.server);
  }

  async #end(): Promise<void> {
    await Promise.allSettled(this.#leaves.splice(0).map(async (leave) => leave()));
    await Promise.all(this.#made.splice(0).map(async (stores) => stores.close()));
    // What still waits for Redis gives up, and leaves no connection behind.
    await this.#clock.advance(COMMAND_TIMEOUT);
    this.opened.close();
  }
}

async function use({ sessions }: Stores): Promise<void> {
  await sessions.use('nobody', 60_000);
}
