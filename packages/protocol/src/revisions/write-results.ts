/** Writes results: the noun of the method, in the envelope of the revision. */
import { isJsonObject } from '../jsonrpc/json-object';
import type { JsonObject } from '../jsonrpc/message';
import { META_KEYS } from '../model/meta-keys';
import type { Implementation } from '../model/metadata';
import type { Method } from '../model/operations';
import { RESULT_NOUNS } from './nouns';
import { projectFields } from './project-fields';
import type { Writer } from './project-fields';
import type { RevisionRules } from './revision-rules';
import type { NounWriters } from './write-nouns';

type ResultWriter = (result: object, server: Implementation) => JsonObject;

/** Method -> the writer of its result. */
export type ResultWriters = Readonly<Record<Method, ResultWriter>>;

/** Writes a result that has no members of its own. */
const writeEmpty = projectFields([]);

/** Compiles the writers of all results. */
export function resultWriters(rules: RevisionRules, find: NounWriters): ResultWriters {
  const compile = (method: Method): ResultWriter => {
    const write = find(RESULT_NOUNS[method]) ?? writeEmpty;
    if (rules.resultEnvelope === 'bare') return write;
    const complete = completeEnvelope(find('Implementation') ?? writeEmpty);
    if (!rules.cacheableResults.includes(method)) return (result, server) => complete(write(result), server);
    return (result, server) => complete(withCacheHints(write(result)), server);
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
  };
}

/** Says that the result is complete, and which server wrote it; the rest of its `_meta` stays. */
function completeEnvelope(writeImplementation: Writer): (result: JsonObject, server: Implementation) => JsonObject {
  return (result, server) => {
    const { _meta } = result;
    const info = writeImplementation(server);
    const meta = isJsonObject(_meta) ? { ..._meta, [META_KEYS.serverInfo]: info } : { [META_KEYS.serverInfo]: info };
    return { resultType: 'complete', ...result, _meta: meta };
  };
}

/** Without hints a result must not be kept: that is right for every server. */
function withCacheHints(result: JsonObject): JsonObject {
  return { ...result, ttlMs: result['ttlMs'] ?? 0, cacheScope: result['cacheScope'] ?? 'private' };
}
