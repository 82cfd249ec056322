/** Turns a revision's rules into the `Revision` value that the other packages use. */
import type { JsonObject } from '../jsonrpc/message';
import { metaReader } from './reading/read-meta';
import { requestReaders } from './reading/read-requests';
import { retryReader } from './reading/read-retry';
import { serverResultReader } from './reading/read-server-results';
import { capabilityCheck } from './required-capabilities';
import type { Revision } from './revision';
import type { RevisionRules } from './revision-rules';
import { resultWriterFor } from './writing/result-writer';
import { errorWriter } from './writing/write-errors';
import { notificationWriter } from './writing/write-notifications';
import { nounWriters } from './writing/write-nouns';
import { serverRequestWriter } from './writing/write-server-requests';

const NO_PARAMS: JsonObject = Object.freeze({});

/** Compiles rules once; reading and writing then run closures that hold only what the revision needs. */
export function compileRevision(rules: RevisionRules): Revision {
  const nouns = nounWriters(rules);
  const readers = requestReaders(rules);
  const writeError = errorWriter(rules);
  const writerFor = resultWriterFor(rules, nouns, writeError);
  return {
    version: rules.version,
    lifecycle: rules.lifecycle,
    batches: rules.batches,
    requests: new Set<string>(rules.requests),
    notifications: new Set(rules.notifications),
    readRequest: (method, params) => readers[method](params ?? NO_PARAMS),
    readMeta: metaReader(rules.lifecycle),
    writerFor,
    writeError,
    readRetry: retryReader(rules),
    inputRequiredResults: new Set<string>(rules.inputRequiredResults),
    missingCapabilities: capabilityCheck(rules),
    writeServerRequest: serverRequestWriter(rules, nouns),
    readServerResult: serverResultReader(rules),
    writeNotification: notificationWriter(nouns),
    unreadableId: rules.unreadableId,
    http: rules.http,
  };
}
