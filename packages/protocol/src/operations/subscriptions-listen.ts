/** @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions */
import { asJsonObject, type JsonObject, type JsonValue } from '../jsonrpc/message';
import type { ListenParams, ListenResult, SubscriptionFilter } from '../model/notifications';
import { readObject, resultReader, throwInvalid } from '../reading/read-members';
import type { ListenField } from '../rules/wire-rules';
import { writerOf, type Operation } from './operation';

/** Opens a stream of changes. */
export const SUBSCRIPTIONS_LISTEN: Operation<'subscriptions/listen', ListenParams, ListenResult> = {
  method: 'subscriptions/listen',
  compile: (wire) => ({
    readParams: (params) => ({
      notifications: readFilter(readObject(params, 'notifications', 'params'), wire.rules.listenFields),
    }),
    writeParams: ({ notifications }) => ({ notifications: asJsonObject(notifications) }),
    writeResult: writerOf('SubscriptionsListenResult', wire),
    readResult: resultReader<ListenResult>({ _meta: readObject }),
  }),
};

const AT = 'params.notifications';

/** `false` and absence say the same. */
function readFilter(filter: JsonObject, fields: readonly ListenField[]): SubscriptionFilter {
  const wants = (member: keyof SubscriptionFilter): boolean => {
    const value = filter[member];
    if (value !== undefined && typeof value !== 'boolean') throwInvalid(AT, member, 'a boolean');
    return value === true;
  };
  const uris = filter['resourceSubscriptions'];
  if (uris !== undefined && !isStringList(uris)) throwInvalid(AT, 'resourceSubscriptions', 'an array of strings');
  return {
    ...(wants('toolsListChanged') && { toolsListChanged: true }),
    ...(wants('promptsListChanged') && { promptsListChanged: true }),
    ...(wants('resourcesListChanged') && { resourcesListChanged: true }),
    ...(uris && { resourceSubscriptions: [...new Set(uris)] }),
    ...readFields(filter, fields),
  };
}

/** The fields of extensions, under their names. */
function readFields(filter: JsonObject, fields: readonly ListenField[]): JsonObject {
  const read: Record<string, JsonValue> = {};
  for (const field of fields) {
    const value = filter[field.name];
    if (value !== undefined) read[field.name] = field.read(value, AT);
  }
  return read;
}

function isStringList(value: JsonValue): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
