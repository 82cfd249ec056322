/** What a server tells a client without being asked, in the neutral words. */
import type { JsonValue, RequestId } from '../jsonrpc/message';
import type { LogLevel } from './logging';
import type { SubscriptionFilter } from './subscriptions';

/** Ties progress to the request that wants it. */
export type ProgressToken = string | number;

/** A notification of the server; a revision writes it, or leaves it out if it does not have it. */
export type ServerNotification =
  | {
      readonly method: 'notifications/progress';
      readonly progressToken: ProgressToken;
      readonly progress: number;
      readonly total?: number;
      readonly message?: string;
    }
  | {
      readonly method: 'notifications/message';
      readonly level: LogLevel;
      readonly data: JsonValue;
      readonly logger?: string;
    }
  | { readonly method: 'notifications/elicitation/complete'; readonly elicitationId: string }
  | { readonly method: 'notifications/cancelled'; readonly requestId: string | number; readonly reason?: string }
  | ChangeNotification
  | {
      readonly method: 'notifications/subscriptions/acknowledged';
      readonly notifications: SubscriptionFilter;
      readonly subscriptionId: RequestId;
    };

/** Says that a list or a resource is no longer what it was. */
export type ChangeNotification = {
  /** Set where the client subscribed with a request of its own: the id of that request. */
  readonly subscriptionId?: RequestId;
} & (
  | { readonly method: 'notifications/tools/list_changed' }
  | { readonly method: 'notifications/prompts/list_changed' }
  | { readonly method: 'notifications/resources/list_changed' }
  | { readonly method: 'notifications/resources/updated'; readonly uri: string }
);
