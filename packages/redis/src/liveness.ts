/**
 * Which instances are alive: each renews its key regularly, and the key expires if the instance stops. Its value is the command that
 * publishes to the instance.
 */
import type { Clock } from '@sigil-mcp/core';
import { unawaited } from '@sigil-mcp/core/adapter';
import type { Commands } from './commands';
import type { RedisKeys } from './keys';

/** How often an instance renews its key within `deadAfter`. */
const BEATS = 3;

/** The limits of liveness. */
export interface LivenessLimits {
  /** Milliseconds after which an instance that does not renew its key is considered dead. */
  readonly deadAfter: number;
  readonly clock: Clock;
}

/**
 * An instance is not considered dead if its key may be missing for another reason. If the key of an instance of this process is missing,
 * too, Redis was unavailable for long or was emptied, and all instances need some time to renew their keys.
 */
export class Liveness {
  /** The keys of the instances of this process. */
  readonly #own = new Set<string>();
  #doubtsUntil = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly commands: Commands,
    private readonly keys: RedisKeys,
    private readonly limits: LivenessLimits,
  ) {}

  /** Whether an instance without a key may still be alive. */
  get doubts(): boolean {
    return this.limits.clock.elapsed() < this.#doubtsUntil;
  }

  /** Marks an instance as alive; resolves when its key is written. Returns a function that ends it. */
  async begin(instance: string): Promise<() => void> {
    const { alive } = this.keys.instance(instance);
    await this.#say(alive);
    this.#own.add(alive);
    const { clock, deadAfter } = this.limits;
    const beat = clock.every(deadAfter / BEATS, () => unawaited(this.#sayAgain(alive))).unref();
    return () => {
      beat.close();
      this.#own.delete(alive);
    };
  }

  /** Whether an instance is alive, or may be. */
  async isAlive(instance: string): Promise<boolean> {
    const { alive } = this.keys.instance(instance);
    if (await this.#isThere(alive)) return true;
    const [own] = this.#own;
    if (own === undefined || this.#own.has(alive)) return false;
    if (!this.doubts && !(await this.#isThere(own))) this.#doubt();
    return this.doubts;
  }

  async #isThere(key: string): Promise<boolean> {
    return Number(await this.commands.run(key, 'EXISTS', key)) === 1;
  }

  /** A Redis whose memory is full accepts no new keys, but lets existing ones be renewed. */
  async #sayAgain(key: string): Promise<void> {
    if (Number(await this.commands.run(key, 'PEXPIRE', key, `${this.limits.deadAfter}`)) === 1 || !this.#own.has(key))
      return;
    this.#doubt();
    await this.#say(key);
  }

  async #say(key: string): Promise<void> {
    await this.commands.run(key, 'SET', key, this.commands.publishing, 'PX', `${this.limits.deadAfter}`);
  }

  #doubt(): void {
    this.#doubtsUntil = this.limits.clock.elapsed() + this.limits.deadAfter;
  }
}
