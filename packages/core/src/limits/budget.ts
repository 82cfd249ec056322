/** Counts what clients hold of one thing: of each, and of all together. Its owner decides how much is too much. */
import { once } from './held-account';
import { ExceededLimit, overload } from '../errors/denial';
import type { ClientLoad } from './client-load';
import { WEIGHTS, type Account } from './account';
import type { ResolvedLimits } from './server-limits';

/** Amounts by key. A key that holds nothing is not in the table. */
export class Budget<K> {
  #all = 0;
  readonly #held = new Map<K, number>();

  /** What all keys hold. */
  get all(): number {
    return this.#all;
  }

  /** How many keys hold something. */
  get size(): number {
    return this.#held.size;
  }

  /** What a key holds. */
  of(key: K): number {
    return this.#held.get(key) ?? 0;
  }

  /** Counts an amount for a key, or gives it back if negative: for an owner that gives back each amount once. */
  add(key: K, amount: number): void {
    this.#all += amount;
    const held = (this.#held.get(key) ?? 0) + amount;
    if (held > 0) this.#held.set(key, held);
    else this.#held.delete(key);
  }

  /**
   * Counts an amount for a key.
   * @returns a function that gives it back; a second call does nothing
   */
  take(key: K, amount = 1): () => void {
    this.add(key, amount);
    return once(() => this.add(key, -amount));
  }
}

/** Counts the subscriptions of one server. */
export class SubscriptionBudget {
  #all = 0;

  constructor(
    private readonly limits: ResolvedLimits,
    private readonly account: Account,
  ) {}

  /**
   * Reserves the subscriptions of a client. Throws `ExceededLimit` for a URI that is too long, `Denial` if a limit is reached.
   * @returns a function that releases them; a second call does nothing
   */
  take(load: ClientLoad, uris: readonly string[]): () => void {
    const { subscriptions, subscriptionUri } = this.limits;
    const { subscriptionsPerClient } = load.shares ?? this.limits;
    if (uris.some((uri) => uri.length > subscriptionUri))
      throw new ExceededLimit(
        'invalid-params',
        `A URI to subscribe to may have ${subscriptionUri} characters (limits.subscriptionUri).`,
        'limits.subscriptionUri',
      );
    if (load.subscriptions + uris.length > subscriptionsPerClient)
      throw overload(
        'limits.subscriptionsPerClient',
        `A client may be subscribed to ${subscriptionsPerClient} resources (limits.subscriptionsPerClient). Unsubscribe from some first.`,
      );
    if (this.#all + uris.length > subscriptions)
      throw overload(
        'limits.subscriptions',
        `All clients together may be subscribed to ${subscriptions} resources (limits.subscriptions). Try again later.`,
      );
    const giveBack = this.account.take(load, 'subscriptions', weightOf(uris));
    return this.#hold(load, uris.length, giveBack);
  }

  /**
   * Counts a subscription that another process has allowed and counted: it is never refused here.
   * @returns a function that releases it; a second call does nothing
   */
  adopt(load: ClientLoad, uri: string): () => void {
    return this.#hold(load, 1, this.account.count(load, 'subscriptions', weightOf([uri])));
  }

  #hold(load: ClientLoad, count: number, giveBack: () => void): () => void {
    this.#all += count;
    load.subscriptions += count;
    return once(() => {
      giveBack();
      this.#all -= count;
      load.subscriptions -= count;
    });
  }
}

/** Bytes of memory that subscriptions to these resources cost. */
function weightOf(uris: readonly string[]): number {
  return uris.reduce((sum, { length }) => sum + WEIGHTS.subscription + 2 * length, 0);
}
