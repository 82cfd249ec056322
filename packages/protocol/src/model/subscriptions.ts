/** The changes that a client subscribes to. */
import type { Meta } from './metadata';

/** What a subscription covers; what is left out is not wanted. It has the fields of extensions, too, under their names. */
export interface SubscriptionFilter {
  readonly toolsListChanged?: boolean;
  readonly promptsListChanged?: boolean;
  readonly resourcesListChanged?: boolean;
  /** URIs of resources whose changes are wanted. */
  readonly resourceSubscriptions?: readonly string[];
}

/** Parameters of `subscriptions/listen`. */
export interface ListenParams {
  readonly notifications: SubscriptionFilter;
}

/** Result of `subscriptions/listen`, once the server ends it. */
export interface ListenResult {
  /** Holds the id of the request that opened the subscription, under its key. */
  readonly _meta: Meta;
}
