/** Checks regularly whether the store can be reached: without requests, its loss would never be noticed. */
import type { Logger } from '../logging/logger';
import { unawaited, type Clock, type MaybePromise, type Timer } from '@sigil-mcp/base';

/** Milliseconds between two checks. */
const INTERVAL = 2000;
/** Milliseconds without the store after which subscriptions are closed. */
const PATIENCE = 10_000;

/** What is watched, and the callbacks. */
export interface StoreWatchInit {
  /** Rejects if the store cannot be reached. */
  readonly look: () => MaybePromise<unknown>;
  readonly logger: Logger;
  /** Called with each check after the store has been unreachable for long. */
  readonly deaf: () => void;
  readonly clock: Clock;
}

/** Checks from `start` to `stop`. */
export class StoreWatch {
  #awaySince: Date | undefined;
  #timer: Timer | undefined;
  #isLooking = false;

  constructor(private readonly init: StoreWatchInit) {}

  /** Undefined while the store can be reached. */
  get awaySince(): Date | undefined {
    return this.#awaySince;
  }

  start(): void {
    this.#timer ??= this.init.clock.every(INTERVAL, () => unawaited(this.#look())).unref();
  }

  stop(): void {
    this.#timer?.close();
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      await this.init.look();
      if (this.#awaySince) this.init.logger.info({ since: this.#awaySince }, 'The store is back');
      this.#awaySince = undefined;
    } catch (error) {
      if (!this.#awaySince) this.init.logger.warn({ err: error }, 'The store is unreachable');
      this.#awaySince ??= new Date(this.init.clock.now());
      if (this.init.clock.now() - this.#awaySince.getTime() >= PATIENCE) this.init.deaf();
    } finally {
      this.#isLooking = false;
    }
  }
}
