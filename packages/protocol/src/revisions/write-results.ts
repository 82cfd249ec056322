/** Writes results: what the operation writes, with the members that the revision adds to every result. */
import { isObject } from '@sigil-mcp/base';
import { asJsonObject } from '../jsonrpc/write-message';
import type { JsonObject } from '../jsonrpc/message';
import { META_KEYS, type Implementation } from '../model/metadata';
import type { InputRequiredResult } from '../model/server-requests';
import { TypedResult } from '../operations/operation';
import type { FindCodec } from './compile-operations';
import type { RevisionRules } from './revision-rules';
import { projectFields } from '../writing/project-fields';
import type { NounWriters } from '../writing/write-nouns';
import type { ResultWriter, Revision } from './revision';

/** What the writers of results are compiled from. */
interface ResultWriterParts {
  /** The methods that the revision has. */
  readonly requests: ReadonlySet<string>;
  readonly codecOf: FindCodec;
  readonly find: NounWriters;
  readonly writeError: Revision['writeError'];
}

/** Writes the results of one operation, as an object or at once as the text of it. */
export interface MethodWriter {
  readonly object: (result: object, params?: object) => JsonObject;
  readonly text: (result: object, params?: object) => string;
}

type Write = (result: object, params?: object) => JsonObject;
type WriteMembers = ((result: object, params?: object) => string | undefined) | undefined;

/**
 * Compiles the writers of results, each when it is used first.
 * @param info what the results say about the server, if the revision has that
 */
export function resultWriters(
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
export function inputRequiredWriter(info: JsonObject): (result: InputRequiredResult) => JsonObject {
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
