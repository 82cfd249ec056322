/** Subscriptions that are long-running requests: they outlast restarts, so they are made again. */
import { META_KEYS, writeNotification, type RequestId } from '@sigil-mcp/protocol';
import { isObject } from '@sigil-mcp/base';
import type { MessageShape } from './message-shape';
import { LISTED_KINDS } from './session-record';

/** The method that opens a subscription. */
export const LISTEN = 'subscriptions/listen';
const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

/** The id of the subscription whose first message this is; undefined if it is another message. */
export function acknowledgedId({ method, params }: MessageShape): RequestId | undefined {
  if (method !== ACKNOWLEDGED || !isObject(params?.['_meta'])) return undefined;
  const id = params['_meta'][META_KEYS.subscriptionId];
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

/** The notifications of a subscription after a restart: the lists in its filter may have changed. */
export function changesFor(acknowledgement: MessageShape, id: RequestId): readonly string[] {
  const filter = acknowledgement.params?.['notifications'];
  if (!isObject(filter)) return [];
  return LISTED_KINDS.filter((kind) => filter[`${kind}ListChanged`] === true).map((kind) =>
    writeNotification({
      jsonrpc: '2.0',
      method: `notifications/${kind}/list_changed`,
      params: { _meta: { [META_KEYS.subscriptionId]: id } },
    }),
  );
}
