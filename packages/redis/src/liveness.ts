/** Who is alive: each instance says so again and again, and its key is gone when it has not for a while. */
import type { Clock } from '@sigil-mcp/core';
import { unawaited } from '@sigil-mcp/core/adapter';
import type { Commands } from './commands';
import type { Keys } from './keys';

/** Times that an instance says so in the time after which it is taken for dead. */
const BEATS = 3;

/** How long is waited. */
export interface LivenessLimits {
  /** Milliseconds after which an instance that says nothing is taken for dead. */
  readonly deadAfter: number;
  readonly clock: Clock;
}

/**
 * Nobody is taken for dead whose word may be missing for another reason: where the key of an instance of this process is gone, too, Redis
 * was away for long or was emptied, and all of them need a while to say again that they are alive.
 */
export class Liveness {
  /** The keys of the instances of this process. */
  readonly #own = new Set<string>();
  #doubtsUntil = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly commands: Commands,
    private readonly keys: Keys,
    private readonly limits: LivenessLimits,
  ) {}

  /** Whether somebody whose word is missing may be alive all the same. */
  get doubts(): boolean {
    return this.limits.clock.elapsed() < this.#doubtsUntil;
  }

  /** An instance is alive from now on; resolves when that is said. Returns a function that ends it. */
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

  /** A Redis whose memory is full takes no more keys, and lets those that are there live on. */
  async #sayAgain(key: string): Promise<void> {
    if (Number(await this.commands.run(key, 'PEXPIRE', key, `${this.limits.deadAfter}`)) === 1 || !this.#own.has(key))
      return;
    this.#doubt();
    await this.#say(key);
  }

  async #say(key: string): Promise<void> {
    await this.commands.run(key, 'SET', key, '1', 'PX', `${this.limits.deadAfter}`);
  }

  #doubt(): void {
    this.#doubtsUntil = this.limits.clock.elapsed() + this.limits.deadAfter;
  }
}
