/** @see https://modelcontextprotocol.io/specification/2026-07-28/client/sampling */
import { isObject } from '@sigil-mcp/base';
import type { JsonObject, JsonValue } from '../jsonrpc/message';
import type { ClientCapabilities } from '../model/lifecycle';
import type {
  CreateMessageParams,
  CreateMessageResult,
  SamplingContent,
  SamplingMessage,
} from '../model/server-requests';
import { readObject, readOptionalObject, readOptionalString, readString, throwInvalid } from '../reading/read-members';
import type { WireRules } from '../rules/wire-rules';
import { contentWriter, projectFields, type Writer } from '../writing/write-content';
import { writerOf, writerOrSame, type ServerOperation, type Wire } from './operation';

/** Asks the model of the client for a message. */
export const SAMPLING_CREATE_MESSAGE: ServerOperation<
  'sampling/createMessage',
  CreateMessageParams,
  CreateMessageResult
> = {
  method: 'sampling/createMessage',
  compile(wire) {
    const project = writerOrSame('CreateMessageRequestParams', wire);
    const writeMessages = messagesWriter(wire);
    const knowsTools = wire.rules.fields.CreateMessageRequestParams?.includes('tools') === true;
    return {
      missingCapabilities: (params, { sampling }) => missingSampling(params, sampling, knowsTools),
      writeParams: (params) => ({ ...project(params), messages: params.messages.flatMap(writeMessages) }),
      readParams,
      writeResult({ model, stopReason, ...message }) {
        const [written = {}] = writeMessages(message);
        return { ...written, model, ...(stopReason !== undefined && { stopReason }) };
      },
      readResult,
    };
  },
};

function missingSampling(
  params: CreateMessageParams,
  sampling: ClientCapabilities['sampling'],
  knowsTools: boolean,
): ClientCapabilities | undefined {
  if (!speaksOfTools(params)) return sampling ? undefined : { sampling: {} };
  return knowsTools && sampling?.tools ? undefined : { sampling: { tools: {} } };
}

/** The messages of a loop speak of tools even where its last round offers none. */
function speaksOfTools({ tools, toolChoice, messages }: CreateMessageParams): boolean {
  if (tools !== undefined || toolChoice !== undefined) return true;
  return messages.some(({ content }) => content.some(({ type }) => type === 'tool_use' || type === 'tool_result'));
}

/** Writes one message, as several where a message of the revision has only one block. */
function messagesWriter(wire: Wire): (message: SamplingMessage) => JsonObject[] {
  const writeMessage = writerOrSame('SamplingMessage', wire);
  const writeBlock = blockWriter(wire);
  const hasLists = wire.find('ToolUseContent') !== undefined;
  return ({ content, ...message }) => {
    const blocks = content.map((block) => writeBlock(block));
    const [only] = blocks;
    if (blocks.length === 1 && only) return [writeMessage({ ...message, content: only })];
    if (hasLists) return [writeMessage({ ...message, content: blocks })];
    // One block each: several messages of one speaker in a row say the same.
    return blocks.map((block) => writeMessage({ ...message, content: block }));
  };
}

/** Blocks of tools are there only where the request was found to be possible; the others as everywhere. */
function blockWriter(wire: Wire): (block: SamplingContent) => JsonObject {
  const writeContent = contentWriter(wire.rules.version, wire.find);
  const writers: Readonly<Record<SamplingContent['type'], Writer>> = {
    text: writeContent,
    image: writeContent,
    audio: writeContent,
    tool_use: wire.find('ToolUseContent') ?? projectFields([]),
    tool_result: toolResultWriter(wire.rules, writerOf('ToolResultContent', wire)),
  };
  return (block) => writers[block.type](block);
}

function toolResultWriter({ toolSchemas }: WireRules, project: Writer): Writer {
  if (toolSchemas === 'any') return project;
  return (block) => {
    const written = project(block);
    const { structuredContent } = written;
    return structuredContent === undefined || isObject(structuredContent)
      ? written
      : { ...written, structuredContent: { result: structuredContent } };
  };
}

function readResult(result: JsonObject): CreateMessageResult {
  const { stopReason } = result;
  return {
    ...readMessage(result, 'result'),
    model: readString(result, 'model', 'result'),
    ...(stopReason !== undefined && stopReason !== null && { stopReason: readString(result, 'stopReason', 'result') }),
  };
}

function readParams(params: JsonObject): CreateMessageParams {
  const { messages, maxTokens } = params;
  if (!Array.isArray(messages)) return throwInvalid('params', 'messages', 'an array');
  if (typeof maxTokens !== 'number') return throwInvalid('params', 'maxTokens', 'a number');
  readOptionalString(params, 'systemPrompt', 'params');
  const read = messages.map((message: JsonValue, index): SamplingMessage => {
    const at = `messages[${index}]`;
    return isObject(message) ? readMessage(message, `params.${at}`) : throwInvalid('params', at, 'an object');
  });
  // What a client passes on to its model, which checks it.
  return { ...(params as unknown as CreateMessageParams), messages: read };
}

/** A message of one block, or of several: the model has a list. */
function readMessage(message: JsonObject, at: string): SamplingMessage {
  const { role, content } = message;
  if (role !== 'assistant' && role !== 'user') throwInvalid(at, 'role', '"assistant" or "user"');
  const meta = readOptionalObject(message, '_meta', at);
  const blocks: readonly JsonValue[] = Array.isArray(content) ? content : [content ?? null];
  return {
    role,
    ...(meta && { _meta: meta }),
    content: blocks.map((block, index) =>
      readBlock(block, Array.isArray(content) ? `content[${index}]` : 'content', at),
    ),
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

function readBlock(block: JsonValue, member: string, at: string): SamplingContent {
  if (!isObject(block)) return throwInvalid(at, member, 'a content block, or an array of them');
  const { type } = block;
  const read = typeof type === 'string' && Object.hasOwn(BLOCKS, type) ? BLOCKS[type] : undefined;
  if (!read) return throwInvalid(`${at}.${member}`, 'type', `one of ${Object.keys(BLOCKS).join(', ')}`);
  read(block, `${at}.${member}`);
  return asBlock(block);
}

function asBlock(block: JsonObject): SamplingContent {
  return block as unknown as SamplingContent; // its members were looked at; it is never copied
}
