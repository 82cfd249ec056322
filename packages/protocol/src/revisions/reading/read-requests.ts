/**
 * Reads the parameters of requests: checks that the members that the schema requires are there and of the right type, and
 * otherwise reports which one is not. Values that are read later (tool arguments) are passed on unchanged.
 */
import type { JsonObject, JsonValue } from '../../jsonrpc/message';
import { ProtocolError } from '../../jsonrpc/protocol-error';
import type { CompleteParams, CompletionReference } from '../../model/completion';
import { LOG_LEVELS } from '../../model/logging';
import type { LogLevel, SetLevelParams } from '../../model/logging';
import type { ListParams, Method, NoParams, ParamsOf } from '../../model/operations';
import { readCapabilities, readImplementation } from './read-client';
import {
  readObject,
  readOptionalObject,
  readOptionalString,
  readString,
  readStrings,
  throwInvalid,
} from './read-members';
import type { ResourceUriParams } from '../../model/resources';
import type { SubscriptionFilter } from '../../model/subscriptions';
import type { RevisionRules } from '../revision-rules';

/** Method -> the reader of its parameters; throws `ProtocolError('invalid-params')`. */
export type RequestReaders = { readonly [M in Method]: (params: JsonObject) => ParamsOf<M> };

/** Compiles the readers of all requests. */
export function requestReaders(rules: RevisionRules): RequestReaders {
  const hasContext = rules.fields.CompleteRequestParams?.includes('context') === true;
  return {
    initialize: (params) => ({
      protocolVersion: readString(params, 'protocolVersion', 'params'),
      capabilities: readCapabilities(params, 'capabilities', 'params'),
      clientInfo: readImplementation(params, 'clientInfo', 'params'),
    }),
    ping: readNothing,
    'server/discover': readNothing,
    'tools/list': readPage,
    'tools/call': (params) => ({
      name: readString(params, 'name', 'params'),
      arguments: readOptionalObject(params, 'arguments', 'params') ?? {},
    }),
    'resources/list': readPage,
    'resources/templates/list': readPage,
    'resources/read': readUri,
    'prompts/list': readPage,
    'prompts/get': (params) => ({
      name: readString(params, 'name', 'params'),
      arguments: readStrings(params, 'arguments', 'params'),
    }),
    'completion/complete': hasContext ? readCompletion : readCompletionWithoutContext,
    'logging/setLevel': readLevel,
    'resources/subscribe': readUri,
    'resources/unsubscribe': readUri,
    'subscriptions/listen': (params) => ({ notifications: readFilter(readObject(params, 'notifications', 'params')) }),
  };
}

/** A level that the protocol knows. @param at where it was found, for the error */
export function readLogLevel(value: JsonValue | undefined, at: string): LogLevel {
  const level = LOG_LEVELS.find((known) => known === value);
  if (level === undefined) throw new ProtocolError('invalid-params', `${at} must be one of ${LOG_LEVELS.join(', ')}`);
  return level;
}

function readNothing(): NoParams {
  return {};
}

function readPage(params: JsonObject): ListParams {
  const cursor = readOptionalString(params, 'cursor', 'params');
  return cursor === undefined ? {} : { cursor };
}

function readUri(params: JsonObject): ResourceUriParams {
  return { uri: readString(params, 'uri', 'params') };
}

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

function readLevel(params: JsonObject): SetLevelParams {
  return { level: readLogLevel(params['level'], 'params.level') };
}

function readCompletion(params: JsonObject): CompleteParams {
  const context = readOptionalObject(params, 'context', 'params');
  const previous = context === undefined ? {} : readStrings(context, 'arguments', 'params.context');
  return { ...readCompletionWithoutContext(params), previous };
}

function readCompletionWithoutContext(params: JsonObject): CompleteParams {
  const ref = readReference(readObject(params, 'ref', 'params'));
  const argument = readObject(params, 'argument', 'params');
  return {
    ref,
    argument: {
      name: readString(argument, 'name', 'params.argument'),
      value: readString(argument, 'value', 'params.argument'),
    },
    previous: {},
  };
}

function readReference(ref: JsonObject): CompletionReference {
  const { type } = ref;
  if (type === 'ref/prompt') return { type, name: readString(ref, 'name', 'params.ref') };
  if (type === 'ref/resource') return { type, uri: readString(ref, 'uri', 'params.ref') };
  return throwInvalid('params.ref', 'type', '"ref/prompt" or "ref/resource"');
}
