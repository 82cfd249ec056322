/** Counts and limits the resources that clients are subscribed to. */
import { ExceededLimit } from '../errors/exceeded-limit';
import { overload } from '../errors/overload';
import { once } from '../values/once';
import type { ClientLoad } from './client-load';
import { WEIGHTS, type Account } from './account';
import type { ResolvedLimits } from './server-limits';

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
