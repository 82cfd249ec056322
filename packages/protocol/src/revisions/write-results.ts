/** Writes results: what the operation writes, with the members that the revision adds to every result. */
import { isObject } from '@sigil-mcp/base';
import { asJsonObject, type JsonObject, type JsonRpcNotification, type RequestId } from '../jsonrpc/message';
import { ProtocolError } from '../jsonrpc/protocol-error';
import { META_KEYS, type Implementation } from '../model/metadata';
import type { ExtensionNotification, ServerNotification } from '../model/notifications';
import type { InputRequiredResult } from '../model/server-requests';
import { ALL_SERVER_OPERATIONS } from '../operations/all-operations';
import {
  TypedResult,
  type NotificationCodec,
  type NotificationOperation,
  type Operation,
  type OperationCodec,
  type ServerOperation,
  type ServerOperationCodec,
  type Wire,
} from '../operations/operation';
import type { Noun } from '../rules/wire-rules';
import { nounWriters, type NounWriters } from '../writing/write-call-result';
import { projectFields, type Writer } from '../writing/write-content';
import type { ResultWriter, Revision, RevisionRules } from './revision';

/** What the writers of results are compiled from. */
interface ResultWriterParts {
  /** The methods that the revision has. */
  readonly requests: ReadonlySet<string>;
  readonly codecOf: FindCodec;
  readonly find: NounWriters;
  readonly writeError: Revision['writeError'];
}

/** Writes the results of one operation, as an object or at once as the text of it. */
interface MethodWriter {
  readonly object: (result: object, params?: object) => JsonObject;
  readonly text: (result: object, params?: object) => string;
}

type Write = (result: object, params?: object) => JsonObject;
type WriteMembers = ((result: object, params?: object) => string | undefined) | undefined;

/**
 * Compiles the writers of results, each when it is used first.
 * @param info what the results say about the server, if the revision has that
 */
function resultWriters(
  { resultEnvelope, requests, resultTypes }: RevisionRules,
  codecOf: FindCodec,
  info: JsonObject,
): (method: string) => MethodWriter {
  const isBare = resultEnvelope === 'bare';
  const wrap = isBare ? bareEnvelope : completeEnvelope(info);
  const compiled = new Map<string, MethodWriter>();
  const compile = (method: string): MethodWriter => {
    const codec = codecOf(method);
    const write: Write = (result, params) => codec.writeResult(result, params);
    const hasHints = !isBare && requests.some((operation) => operation.method === method && operation.isCacheable);
    const complete = wrap(
      hasHints ? (result, params) => withCacheHints(write(result, params)) : write,
      codec.writeMembers && ((result, params) => codec.writeMembers?.(result, params)),
    );
    const hasTypes = !isBare && resultTypes.some(({ methods }) => methods.includes(method));
    const writer = hasTypes ? withTypes(complete, info) : complete;
    compiled.set(method, writer);
    return writer;
  };
  return (method) => compiled.get(method) ?? compile(method);
}

/** Compiles the writer of results that ask. They are never kept, so they say nothing about it. */
function inputRequiredWriter(info: JsonObject): (result: InputRequiredResult) => JsonObject {
  return ({ inputRequests, requestState }) => ({
    resultType: 'input_required',
    ...(Object.keys(inputRequests).length > 0 && { inputRequests: asJsonObject(inputRequests) }),
    ...(requestState !== undefined && { requestState }),
    _meta: { [META_KEYS.serverInfo]: info },
  });
}

function bareEnvelope(write: Write, writeMembers: WriteMembers): MethodWriter {
  return {
    object: write,
    text(result, params) {
      const members = writeMembers?.(result, params);
      return members === undefined ? JSON.stringify(write(result, params)) : `{${members}}`;
    },
  };
}

/** Says that the result is complete, and which server wrote it; the rest of its `_meta` stays. */
function completeEnvelope(info: JsonObject): (write: Write, writeMembers: WriteMembers) => MethodWriter {
  // The name of the server is in every result; it is put into the text instead of being written each time.
  const ending = `,"_meta":${JSON.stringify({ [META_KEYS.serverInfo]: info })}}`;
  return (write, writeMembers) => ({
    object: (result, params) => complete(write(result, params), info),
    text(result, params) {
      const quick = writeMembers?.(result, params);
      if (quick !== undefined) return `{"resultType":"complete",${quick}${ending}`;
      const written = write(result, params);
      if (written['_meta'] !== undefined) return JSON.stringify(complete(written, info));
      const members = JSON.stringify(written).slice(1, -1);
      return `{"resultType":"complete"${members === '' ? '' : ','}${members}${ending}`;
    },
  });
}

function complete(result: JsonObject, info: JsonObject): JsonObject {
  return { resultType: 'complete', ...withServer(result, info) };
}

function withServer(result: JsonObject, info: JsonObject): JsonObject {
  const { _meta } = result;
  const meta = isObject(_meta) ? { ..._meta, [META_KEYS.serverInfo]: info } : { [META_KEYS.serverInfo]: info };
  return { ...result, _meta: meta };
}

function isTyped(result: object): result is TypedResult {
  return result instanceof TypedResult;
}

/** Writes the results of extensions, too. */
function withTypes(complete: MethodWriter, info: JsonObject): MethodWriter {
  const write = ({ type, value }: TypedResult): JsonObject => {
    const written = type.write(value);
    return { ...withServer(written, info), resultType: type.name };
  };
  return {
    object: (result, params) => (isTyped(result) ? write(result) : complete.object(result, params)),
    text: (result, params) => (isTyped(result) ? JSON.stringify(write(result)) : complete.text(result, params)),
  };
}

/** Without hints a result must not be kept: that is right for every server. */
function withCacheHints(result: JsonObject): JsonObject {
  return { ...result, ttlMs: result['ttlMs'] ?? 0, cacheScope: result['cacheScope'] ?? 'private' };
}

/** Compiles `Revision.writerFor`: a server that is bound already gets the writer that it has. */
export function resultWriterFor(rules: RevisionRules, parts: ResultWriterParts): Revision['writerFor'] {
  const bound = new WeakMap<Implementation, ResultWriter>();
  const writeServer = parts.find('Implementation') ?? projectFields([]);
  const bind = (server: Implementation): ResultWriter => {
    const info = writeServer(server);
    const writerOf = resultWriters(rules, parts.codecOf, info);
    return {
      writeResult: (method, result, params) => writerOf(method).object(result, params),
      writeResultText: (method, result, params) => writerOf(method).text(result, params),
      writeInputRequired: inputRequiredWriter(info),
      writeFailure(error, method, params) {
        // A method that does not exist has no results.
        const result = parts.requests.has(method) ? parts.codecOf(method).resultOf?.(error) : undefined;
        return result ? { result: writerOf(method).object(result, params) } : { error: parts.writeError(error) };
      },
    };
  };
  return (server) => {
    const writer = bound.get(server) ?? bind(server);
    bound.set(server, writer);
    return writer;
  };
}

// Writes what a server says on its own.

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

// Compiles the operations that a revision has, each when it is used first: most servers use few of them, in one or two revisions.

/** Finds both directions of a request of a client. Throws `ProtocolError('method-not-found')`. */
type FindCodec = (method: string) => OperationCodec<object, object>;

/** Finds both directions of a request of a server; also of one that the revision does not have, for the capabilities that it needs. */
type FindServerCodec = (method: string) => ServerOperationCodec<object, object>;

/**
 * Compiles one operation for a revision, also one that the revision does not list: an operation from outside.
 * @example compileOperation(TASKS_GET, rules).writeParams({ taskId: '7' })
 */
export function compileOperation<P extends object, R extends object>(
  operation: Operation<string, P, R>,
  rules: RevisionRules,
): OperationCodec<P, R>;
export function compileOperation<P extends object>(
  operation: NotificationOperation<string, P>,
  rules: RevisionRules,
): NotificationCodec<P>;
export function compileOperation(operation: Operation | NotificationOperation, rules: RevisionRules): object {
  return operation.compile({ rules, find: nounWriters(rules) });
}

/** Compiles the requests of a client. */
export function operationCodecs(rules: RevisionRules, wire: Wire): FindCodec {
  return compiledOnce<Operation, OperationCodec<object, object>>(rules.requests, rules, wire);
}

/** Compiles the requests of a server. */
export function serverOperationCodecs(rules: RevisionRules, wire: Wire): FindServerCodec {
  const all: readonly ServerOperation[] = [...ALL_SERVER_OPERATIONS, ...rules.serverRequests];
  return compiledOnce<ServerOperation, ServerOperationCodec<object, object>>(all, rules, wire);
}

function compiledOnce<O extends { readonly method: string; compile(wire: Wire): C }, C>(
  operations: readonly O[],
  { version }: RevisionRules,
  wire: Wire,
): (method: string) => C {
  const compiled = new Map<string, C>();
  const compile = (method: string): C => {
    const operation = operations.find((each) => each.method === method);
    if (!operation) throw new ProtocolError('method-not-found', `Revision ${version} has no method ${method}.`);
    const codec = operation.compile(wire);
    compiled.set(method, codec);
    return codec;
  };
  return (method) => compiled.get(method) ?? compile(method);
}
