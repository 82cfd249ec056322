/** Writes what a server says on its own. */
import type { JsonObject, JsonRpcNotification } from '../jsonrpc/message';
import { META_KEYS } from '../model/meta-keys';
import type { ServerNotification } from '../model/notifications';
import type { Noun } from '../rules/nouns';
import type { Writer } from '../writing/project-fields';
import type { NounWriters } from '../writing/write-nouns';

/** Notification -> the noun of its parameters; undefined: it has none. */
const PARAMS_NOUNS: Readonly<Record<ServerNotification['method'], Noun | undefined>> = {
  'notifications/progress': 'ProgressNotificationParams',
  'notifications/message': 'LoggingMessageNotificationParams',
  'notifications/cancelled': 'CancelledNotificationParams',
  'notifications/resources/updated': 'ResourceUpdatedNotificationParams',
  'notifications/elicitation/complete': 'ElicitationCompleteNotificationParams',
  'notifications/tools/list_changed': undefined,
  'notifications/prompts/list_changed': undefined,
  'notifications/resources/list_changed': undefined,
  'notifications/subscriptions/acknowledged': 'SubscriptionsAcknowledgedNotificationParams',
};

/** Compiles the writer of notifications; it returns undefined for those that the revision does not have. */
export function notificationWriter(
  find: NounWriters,
): (notification: ServerNotification) => JsonRpcNotification | undefined {
  const writers = new Map<string, Writer | undefined>();
  for (const [method, noun] of Object.entries(PARAMS_NOUNS)) {
    const writer = noun && find(noun);
    if (noun === undefined || writer !== undefined) writers.set(method, writer);
  }
  const hasSubscriptions = writers.has('notifications/subscriptions/acknowledged');
  return (notification) => {
    const { method } = notification;
    if (!writers.has(method)) return undefined;
    const writeParams = writers.get(method);
    const params = { ...writeParams?.(notification), ...(hasSubscriptions && subscriptionTag(notification)) };
    if (writeParams === undefined && !('_meta' in params)) return { jsonrpc: '2.0', method };
    return { jsonrpc: '2.0', method, params };
  };
}

/** Everything that a subscription delivers names it. */
function subscriptionTag(notification: ServerNotification): JsonObject | undefined {
  if (!('subscriptionId' in notification) || notification.subscriptionId === undefined) return undefined;
  return { _meta: { [META_KEYS.subscriptionId]: notification.subscriptionId } };
}
