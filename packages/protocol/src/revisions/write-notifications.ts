/** Writes what a server says on its own. */
import type { JsonObject, JsonRpcNotification, RequestId } from '../jsonrpc/message';
import { META_KEYS } from '../model/metadata';
import type { ExtensionNotification, ServerNotification } from '../model/notifications';
import type { Noun } from '../rules/nouns';
import type { Writer } from '../writing/project-fields';
import type { Wire, NotificationCodec } from '../operations/operation';
import type { Revision } from './revision';
import type { RevisionRules } from './revision-rules';

/** Notification -> the noun of its parameters; undefined: it has none. */
const PARAMS_NOUNS: Readonly<Record<Exclude<ServerNotification['method'], 'extension'>, Noun | undefined>> = {
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

/** The notifications of the specification that a server sends. */
export const SERVER_NOTIFICATIONS: readonly string[] = Object.keys(PARAMS_NOUNS);

/** Compiles the writer of notifications; it returns undefined for those that the revision does not have. */
export function notificationWriter(rules: RevisionRules, wire: Wire): Revision['writeNotification'] {
  const { find } = wire;
  const writers = new Map<string, Writer | undefined>();
  for (const [method, noun] of Object.entries(PARAMS_NOUNS)) {
    const writer = noun && find(noun);
    if (noun === undefined || writer !== undefined) writers.set(method, writer);
  }
  const hasSubscriptions = writers.has('notifications/subscriptions/acknowledged');
  const writeOfExtension = extensionWriter(rules, wire, hasSubscriptions);
  return (notification) => {
    if (notification.method === 'extension') return writeOfExtension(notification);
    const { method } = notification;
    if (!writers.has(method)) return undefined;
    const writeParams = writers.get(method);
    const params = { ...writeParams?.(notification), ...(hasSubscriptions && subscriptionTag(notification)) };
    if (writeParams === undefined && !('_meta' in params)) return { jsonrpc: '2.0', method };
    return { jsonrpc: '2.0', method, params };
  };
}

function extensionWriter(
  { serverNotifications }: RevisionRules,
  wire: Wire,
  hasSubscriptions: boolean,
): (notification: ExtensionNotification) => JsonRpcNotification | undefined {
  const codecs = new Map<string, NotificationCodec<object>>(
    serverNotifications.map((notification) => [notification.method, notification.compile(wire)]),
  );
  return (notification) => {
    const { notification: method, params } = notification;
    const codec = codecs.get(method);
    if (!codec) return undefined;
    const written = { ...codec.writeParams(params), ...(hasSubscriptions && subscriptionTag(notification)) };
    return { jsonrpc: '2.0', method, params: written };
  };
}

/** Everything that a subscription delivers names it. */
function subscriptionTag(notification: object): JsonObject | undefined {
  const { subscriptionId } = notification as { readonly subscriptionId?: RequestId };
  return subscriptionId === undefined ? undefined : { _meta: { [META_KEYS.subscriptionId]: subscriptionId } };
}
