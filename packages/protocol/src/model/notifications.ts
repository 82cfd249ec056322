/** What a server tells a client without being asked, in the neutral words. */
import type { JsonValue, RequestId } from '../jsonrpc/message';
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

/** Every level, ascending. */
export const LOG_LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;

/** How severe a log message is. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Parameters of `logging/setLevel`. */
export interface SetLevelParams {
  readonly level: LogLevel;
}

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

/** What an extension announces. */
export interface ExtensionNotification {
  /** Never sent: the name that is sent is `notification`. */
  readonly method: 'extension';
  /** The extension that a client must have declared. */
  readonly extension: string;
  /** The name of one of the `serverNotifications` of the revision. */
  readonly notification: string;
  /** Neutral parameters, as JSON: other instances of the server receive them, too. */
  readonly params: object;
  /** Only callers of this principal receive it; all callers if left out. */
  readonly principal?: string | undefined;
  /** Of the same notification and subject, a client that does not keep up receives the last one only. */
  readonly subject?: string | undefined;
}

/** Says that a list or a resource is no longer what it was, or what an extension announces. */
export type ChangeNotification = {
  /** Set where the client subscribed with a request of its own: the id of that request. */
  readonly subscriptionId?: RequestId;
} & (
  | { readonly method: 'notifications/tools/list_changed' }
  | { readonly method: 'notifications/prompts/list_changed' }
  | { readonly method: 'notifications/resources/list_changed' }
  | { readonly method: 'notifications/resources/updated'; readonly uri: string }
  | ExtensionNotification
);
