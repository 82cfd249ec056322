/**
 * Reads a client's answer to a question: checks that the members that the schema requires are there and of the right type, and
 * otherwise reports which one is not. Whether the content fits the form is for the code that knows the form.
 */
import { isJsonObject } from '../../jsonrpc/json-object';
import type { JsonObject, JsonValue } from '../../jsonrpc/message';
import { ELICIT_ACTIONS, type ElicitResult } from '../../model/elicitation';
import type { ListRootsResult, Root } from '../../model/roots';
import type { CreateMessageResult, SamplingContent } from '../../model/sampling';
import type { ServerMethod, ServerOperations, ServerRequest, ServerResultOf } from '../../model/server-requests';
import { readObject, readOptionalObject, readOptionalString, readString, throwInvalid } from './read-members';
import type { RevisionRules } from '../revision-rules';
import { formContentReader, type FormContentReader } from './read-form-content';

const AT = 'result';

/** Reads the answer to a request. Throws `ProtocolError('invalid-params')` naming the member. */
export type ServerResultReader = <M extends ServerMethod>(
  request: ServerRequest<M>,
  result: JsonObject,
) => ServerResultOf<M>;

type Readers = {
  readonly [M in ServerMethod]: (result: JsonObject, params: ServerOperations[M]['params']) => ServerResultOf<M>;
};

/** Compiles the reader. */
export function serverResultReader(rules: RevisionRules): ServerResultReader {
  const readContent = formContentReader(rules);
  const readers: Readers = {
    'elicitation/create': (result, params) =>
      params.mode === 'url'
        ? { action: readAction(result) }
        : readFormResult(result, readContent, params.requestedSchema),
    'sampling/createMessage': readMessageResult,
    'roots/list': readRoots,
  };
  return ({ method, params }, result) => readers[method](result, params);
}

function readAction(result: JsonObject): ElicitResult['action'] {
  const action = ELICIT_ACTIONS.find((known) => known === result['action']);
  return action ?? throwInvalid(AT, 'action', `one of ${ELICIT_ACTIONS.join(', ')}`);
}

function readFormResult(
  result: JsonObject,
  readContent: FormContentReader,
  form: Parameters<FormContentReader>[0],
): ElicitResult {
  const action = readAction(result);
  if (action !== 'accept') return { action };
  return { action, content: readContent(form, readOptionalObject(result, 'content', AT) ?? {}) };
}

function readMessageResult(result: JsonObject): CreateMessageResult {
  const { role, content, stopReason } = result;
  if (role !== 'assistant' && role !== 'user') throwInvalid(AT, 'role', '"assistant" or "user"');
  const blocks: readonly JsonValue[] = Array.isArray(content) ? content : [content ?? null];
  return {
    role,
    content: blocks.map((block, index) => readBlock(block, Array.isArray(content) ? `content[${index}]` : 'content')),
    model: readString(result, 'model', AT),
    ...(stopReason !== undefined && stopReason !== null && { stopReason: readString(result, 'stopReason', AT) }),
  };
}

/** The members that a block must have, each with how it is read. */
const BLOCKS: Readonly<Record<string, (block: JsonObject, at: string) => unknown>> = {
  text: (block, at) => readString(block, 'text', at),
  image: readMedia,
  audio: readMedia,
  tool_use: (block, at) => [readString(block, 'id', at), readString(block, 'name', at), readObject(block, 'input', at)],
  tool_result: (block, at) =>
    Array.isArray(block['content']) ? readString(block, 'toolUseId', at) : throwInvalid(at, 'content', 'an array'),
};

function readMedia(block: JsonObject, at: string): unknown {
  return [readString(block, 'data', at), readString(block, 'mimeType', at)];
}

function readBlock(block: JsonValue, member: string): SamplingContent {
  if (!isJsonObject(block)) return throwInvalid(AT, member, 'a content block, or an array of them');
  const { type } = block;
  const read = typeof type === 'string' && Object.hasOwn(BLOCKS, type) ? BLOCKS[type] : undefined;
  if (!read) return throwInvalid(`${AT}.${member}`, 'type', `one of ${Object.keys(BLOCKS).join(', ')}`);
  read(block, `${AT}.${member}`);
  return asBlock(block);
}

function asBlock(block: JsonObject): SamplingContent {
  return block as unknown as SamplingContent; // its members were looked at; it is never copied
}

function readRoots({ roots }: JsonObject): ListRootsResult {
  if (!Array.isArray(roots)) return throwInvalid(AT, 'roots', 'an array');
  return { roots: roots.map((root: JsonValue, index) => readRoot(root, `roots[${index}]`)) };
}

function readRoot(root: JsonValue, member: string): Root {
  if (!isJsonObject(root)) return throwInvalid(AT, member, 'an object');
  const uri = readString(root, 'uri', `${AT}.${member}`);
  const name = readOptionalString(root, 'name', `${AT}.${member}`);
  const meta = readOptionalObject(root, '_meta', `${AT}.${member}`);
  return { uri, ...(name !== undefined && { name }), ...(meta && { _meta: meta }) };
}
