/** Turns a revision's rules into the `Revision` value that the other packages use. */
import type { JsonObject } from '../jsonrpc/message';
import type { ServerResultOf } from '../operations/all-server-operations';
import type { Wire } from '../operations/operation';
import { TypedResult, type ResultType } from '../operations/result-type';
import { nounWriters } from '../writing/write-nouns';
import { clientNotificationReader } from './read-notifications';
import { operationCodecs, serverOperationCodecs } from './compile-operations';
import { metaReader } from './read-meta';
import { retryReader } from './read-retry';
import { resultWriterFor } from './result-writer';
import type { Revision } from './revision';
import type { RevisionRules } from './revision-rules';
import { errorWriter } from './write-errors';
import { notificationWriter } from './write-notifications';

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
