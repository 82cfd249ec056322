/** Turns a revision's rules into the `Revision` value that the other packages use. */
import type { ErrorObject, JsonObject } from '../jsonrpc/message';
import type { ProtocolError } from '../jsonrpc/protocol-error';
import type { RequestRetry } from '../model/server-requests';
import type { ServerResultOf } from '../operations/all-operations';
import { TypedResult, type NotificationCodec, type ResultType, type Wire } from '../operations/operation';
import { readObject, readOptionalObject, readOptionalString } from '../reading/read-members';
import { nounWriters } from '../writing/write-call-result';
import { notificationWriter, operationCodecs, resultWriterFor, serverOperationCodecs } from './write-results';
import { metaReader } from './read-meta';
import type { Revision, RevisionRules } from './revision';

/** Characters of a message. Our own messages are shorter; one that quotes text of a client must not grow with it. */
const LONGEST_MESSAGE = 5000;

const NO_PARAMS: JsonObject = Object.freeze({});

/** Compiles rules once; reading and writing then run closures that hold only what the revision needs. */
export function compileRevision(rules: RevisionRules): Revision {
  const wire: Wire = { rules, find: nounWriters(rules) };
  const codecOf = operationCodecs(rules, wire);
  const writeError = errorWriter(rules);
  const { requests, mayAsk, nameHeader, resultsOfParams } = indexOf(rules);
  const resultTypes = rules.resultEnvelope === 'bare' ? [] : rules.resultTypes;
  return {
    rules,
    version: rules.version,
    lifecycle: rules.lifecycle,
    batches: rules.batches,
    requests,
    notifications: new Set([...rules.notifications, ...rules.clientNotifications.map(({ method }) => method)]),
    resultTypes: new Set(resultTypes),
    undeclaredExtension: rules.undeclaredExtension,
    // The compiled operation of a method reads and writes the types of this method.
    readRequest: (method, params) => codecOf(method).readParams(params ?? NO_PARAMS),
    writeRequest: (method, params) => codecOf(method).writeParams(params),
    readResult: (method, result) => codecOf(method).readResult(result),
    readTypedResult: (method, result) => readTypedResult(resultTypes, method, result),
    readNotification: clientNotificationReader(rules, wire),
    readMeta: metaReader(rules.lifecycle, rules.metaKeys),
    writerFor: resultWriterFor(rules, { requests, codecOf, find: wire.find, writeError }),
    writeError,
    readRetry: retryReader(rules.questions === 'results' ? mayAsk : new Set()),
    mayAsk,
    resultsOfParams,
    questions: rules.questions,
    ...serverRequestsOf(rules, wire),
    writeNotification: notificationWriter(rules, wire),
    unreadableId: rules.unreadableId,
    http: { ...rules.http, nameHeader },
  };
}

function readTypedResult(types: readonly ResultType[], method: string, result: JsonObject): TypedResult | undefined {
  const type = types.find(({ name, methods }) => name === result['resultType'] && methods.includes(method));
  return type && new TypedResult(type, type.read(result));
}

/** The operations by what is asked of them in every call. Every server compiles all revisions at its start, so this is one loop. */
function indexOf(rules: RevisionRules) {
  const requests = new Set<string>();
  const mayAsk = new Set<string>();
  const resultsOfParams = new Set<string>();
  const nameHeader = new Map<string, string>();
  for (const operation of rules.requests) {
    requests.add(operation.method);
    if (operation.mayAsk) mayAsk.add(operation.method);
    if (operation.resultDependsOnParams) resultsOfParams.add(operation.method);
    const { nameParameter } = operation;
    if (rules.http.nameHeader && nameParameter !== undefined) nameHeader.set(operation.method, nameParameter);
  }
  return { requests, mayAsk, nameHeader, resultsOfParams };
}

type ServerRequests = Pick<
  Revision,
  'missingCapabilities' | 'writeServerRequest' | 'readServerRequest' | 'writeServerResult' | 'readServerResult'
>;

function serverRequestsOf(rules: RevisionRules, wire: Wire): ServerRequests {
  const codecOf = serverOperationCodecs(rules, wire);
  const known = new Set<string>(rules.serverRequests.map(({ method }) => method));
  return {
    missingCapabilities: ({ method, params }, declared) =>
      codecOf(method).missingCapabilities(params, known.has(method) ? declared : {}),
    writeServerRequest({ method, params }) {
      const written = codecOf(method).writeParams(params);
      return written === undefined ? { method } : { method, params: written };
    },
    readServerRequest: (method, params) => codecOf(method).readParams(params ?? NO_PARAMS),
    writeServerResult: (method, result) => codecOf(method).writeResult(result),
    readServerResult: ({ method, params }, result) =>
      codecOf(method).readResult(result, params) as ServerResultOf<typeof method>,
  };
}

/**
 * Makes the reader; it gives undefined for a request that was not sent before, and where the revision has no such thing.
 * Throws `ProtocolError('invalid-params')`.
 * @param methods the requests that may be answered with questions
 */
function retryReader(
  methods: ReadonlySet<string>,
): (method: string, params: JsonObject | undefined) => RequestRetry | undefined {
  return (method, params) => {
    if (!params || !(Object.hasOwn(params, 'inputResponses') || Object.hasOwn(params, 'requestState')))
      return undefined;
    return methods.has(method) ? readRetry(params) : undefined;
  };
}

function readRetry(params: JsonObject): RequestRetry {
  const responses = readOptionalObject(params, 'inputResponses', 'params') ?? {};
  const answered = Object.keys(responses);
  return {
    inputResponses: Object.fromEntries(
      answered.map((key) => [key, readObject(responses, key, 'params.inputResponses')]),
    ),
    requestState: readOptionalString(params, 'requestState', 'params'),
  };
}

/** Compiles the writer of errors; a code that the revision does not define becomes its internal error. */
function errorWriter({ errorCodes }: RevisionRules): (error: ProtocolError) => ErrorObject {
  const known = new Set<number>(Object.values(errorCodes));
  const codeOf = (error: ProtocolError['error']): number => {
    // A name that does not exist, as plain JavaScript may pass, would leave the error without a code.
    if (typeof error === 'string') return errorCodes[error] ?? errorCodes['internal-error'];
    return Number.isInteger(error) && (!isReserved(error) || known.has(error)) ? error : errorCodes['internal-error'];
  };
  return ({ error, message, data }) => {
    const code = codeOf(error);
    const words = message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE - 1)}…` : message;
    return data === undefined ? { code, message: words } : { code, message: words, data };
  };
}

/**
 * JSON-RPC reserves this range for itself and for protocols; an application's code in it would claim a meaning that
 * the revision has not given it.
 */
function isReserved(code: number): boolean {
  return code >= -32768 && code <= -32000;
}

// Reads the notifications that clients send for extensions. Those of the specification have no parameters that a revision would change.

/** Compiles `Revision.readNotification`. */
function clientNotificationReader(
  { clientNotifications }: RevisionRules,
  wire: Wire,
): (method: string, params: JsonObject | undefined) => object | undefined {
  const codecs = new Map<string, NotificationCodec<object>>(
    clientNotifications.map((notification) => [notification.method, notification.compile(wire)]),
  );
  return (method, params) => codecs.get(method)?.readParams(params ?? NO_PARAMS);
}
