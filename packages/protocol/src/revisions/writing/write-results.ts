/** Writes results: the noun of the method, with the members that the revision adds to every result. */
import { asJsonObject, isJsonObject } from '../../jsonrpc/json-object';
import type { JsonObject } from '../../jsonrpc/message';
import { META_KEYS } from '../../model/meta-keys';
import type { Method } from '../../model/operations';
import type { InputRequiredResult } from '../../model/server-requests';
import { RESULT_NOUNS } from '../nouns';
import { projectFields } from './project-fields';
import type { Writer } from './project-fields';
import type { RevisionRules } from '../revision-rules';
import { callResultText, type QuickText } from './write-call-result';
import { contentWriter } from './write-content';
import type { NounWriters } from './write-nouns';

/** Writes the results of one method, as an object or at once as the text of it. */
interface MethodWriter {
  readonly object: (result: object) => JsonObject;
  readonly text: (result: object) => string;
}

/** Method -> the writer of its results. */
export type ResultWriters = Readonly<Record<Method, MethodWriter>>;

/** Writes a result that has no members of its own. */
const writeEmpty = projectFields([]);

/**
 * Compiles the writers of all results.
 * @param info what the results say about the server, where they do
 */
export function resultWriters(rules: RevisionRules, find: NounWriters, info: JsonObject): ResultWriters {
  const seal = rules.resultEnvelope === 'bare' ? bareEnvelope : completeEnvelope(info);
  const compile = (method: Method): MethodWriter => {
    const write = find(RESULT_NOUNS[method]) ?? writeEmpty;
    const isCacheable = rules.resultEnvelope !== 'bare' && rules.cacheableResults.includes(method);
    const quickText = method === 'tools/call' ? callResultText(rules, contentWriter(rules.version, find)) : undefined;
    return seal(isCacheable ? (result) => withCacheHints(write(result)) : write, quickText);
  };
  return {
    initialize: compile('initialize'),
    ping: compile('ping'),
    'server/discover': compile('server/discover'),
    'tools/list': compile('tools/list'),
    'tools/call': compile('tools/call'),
    'resources/list': compile('resources/list'),
    'resources/templates/list': compile('resources/templates/list'),
    'resources/read': compile('resources/read'),
    'prompts/list': compile('prompts/list'),
    'prompts/get': compile('prompts/get'),
    'completion/complete': compile('completion/complete'),
    'logging/setLevel': compile('logging/setLevel'),
    'resources/subscribe': compile('resources/subscribe'),
    'resources/unsubscribe': compile('resources/unsubscribe'),
    'subscriptions/listen': compile('subscriptions/listen'),
  };
}

/** Compiles the writer of results that ask. They are never kept, so they say nothing about it. */
export function inputRequiredWriter(info: JsonObject): (result: InputRequiredResult) => JsonObject {
  return ({ inputRequests, requestState }) => ({
    resultType: 'input_required',
    ...(Object.keys(inputRequests).length > 0 && { inputRequests: asJsonObject(inputRequests) }),
    ...(requestState !== undefined && { requestState }),
    _meta: { [META_KEYS.serverInfo]: info },
  });
}

function bareEnvelope(write: Writer, quickText?: QuickText): MethodWriter {
  return {
    object: write,
    text(result) {
      const members = quickText?.(result);
      return members === undefined ? JSON.stringify(write(result)) : `{${members}}`;
    },
  };
}

/** Says that the result is complete, and which server wrote it; the rest of its `_meta` stays. */
function completeEnvelope(info: JsonObject): (write: Writer, quickText?: QuickText) => MethodWriter {
  // The name of the server is in every result; it is put into the text instead of being written each time.
  const ending = `,"_meta":${JSON.stringify({ [META_KEYS.serverInfo]: info })}}`;
  return (write, quickText) => ({
    object: (result) => complete(write(result), info),
    text(result) {
      const quick = quickText?.(result);
      if (quick !== undefined) return `{"resultType":"complete",${quick}${ending}`;
      const written = write(result);
      if (written['_meta'] !== undefined) return JSON.stringify(complete(written, info));
      const members = JSON.stringify(written).slice(1, -1);
      return `{"resultType":"complete"${members === '' ? '' : ','}${members}${ending}`;
    },
  });
}

function complete(result: JsonObject, info: JsonObject): JsonObject {
  const { _meta } = result;
  const meta = isJsonObject(_meta) ? { ..._meta, [META_KEYS.serverInfo]: info } : { [META_KEYS.serverInfo]: info };
  return { resultType: 'complete', ...result, _meta: meta };
}

/** Without hints a result must not be kept: that is right for every server. */
function withCacheHints(result: JsonObject): JsonObject {
  return { ...result, ttlMs: result['ttlMs'] ?? 0, cacheScope: result['cacheScope'] ?? 'private' };
}
