/** @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions */
import { asJsonObject } from '../jsonrpc/json-object';
import type { JsonObject, JsonValue } from '../jsonrpc/message';
import type { ListenParams, ListenResult, SubscriptionFilter } from '../model/subscriptions';
import { readObject, throwInvalid } from '../reading/read-members';
import { resultReader } from '../reading/read-result';
import type { Operation } from './operation';
import { writerOf } from './shared-codecs';

/** Opens a stream of changes. */
export const SUBSCRIPTIONS_LISTEN: Operation<'subscriptions/listen', ListenParams, ListenResult> = {
  method: 'subscriptions/listen',
  compile: (wire) => ({
    readParams: (params) => ({ notifications: readFilter(readObject(params, 'notifications', 'params')) }),
    writeParams: ({ notifications }) => ({ notifications: asJsonObject(notifications) }),
    writeResult: writerOf('SubscriptionsListenResult', wire),
    readResult: resultReader<ListenResult>({ _meta: readObject }),
  }),
};

/** `false` and absence say the same. */
function readFilter(filter: JsonObject): SubscriptionFilter {
  const wants = (member: keyof SubscriptionFilter): boolean => {
    const value = filter[member];
    if (value !== undefined && typeof value !== 'boolean') throwInvalid('params.notifications', member, 'a boolean');
    return value === true;
  };
  const uris = filter['resourceSubscriptions'];
  if (uris !== undefined && !isStringList(uris))
    throwInvalid('params.notifications', 'resourceSubscriptions', 'an array of strings');
  return {
    ...(wants('toolsListChanged') && { toolsListChanged: true }),
    ...(wants('promptsListChanged') && { promptsListChanged: true }),
    ...(wants('resourcesListChanged') && { resourcesListChanged: true }),
    ...(uris && { resourceSubscriptions: [...new Set(uris)] }),
  };
}

function isStringList(value: JsonValue): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
