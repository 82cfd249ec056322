/** Reads the notifications that clients send for extensions. Those of the specification have no parameters that a revision would change. */
import type { JsonObject } from '../jsonrpc/message';
import type { Wire, NotificationCodec } from '../operations/operation';
import type { RevisionRules } from './revision';

const NO_PARAMS: JsonObject = Object.freeze({});

/** Compiles `Revision.readNotification`. */
export function clientNotificationReader(
  { clientNotifications }: RevisionRules,
  wire: Wire,
): (method: string, params: JsonObject | undefined) => object | undefined {
  const codecs = new Map<string, NotificationCodec<object>>(
    clientNotifications.map((notification) => [notification.method, notification.compile(wire)]),
  );
  return (method, params) => codecs.get(method)?.readParams(params ?? NO_PARAMS);
}
