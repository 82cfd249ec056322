/** Writes what a server asks of a client. */
import { asJsonObject, isJsonObject } from '../../jsonrpc/json-object';
import type { JsonObject } from '../../jsonrpc/message';
import type { ElicitParams } from '../../model/elicitation';
import type { CreateMessageParams, SamplingContent, SamplingMessage } from '../../model/sampling';
import type { ServerMethod, ServerOperations, ServerRequest, WrittenServerRequest } from '../../model/server-requests';
import { projectFields, type Writer } from './project-fields';
import type { RevisionRules } from '../revision-rules';
import { contentWriter } from './write-content';
import { formWriter } from './write-form';
import type { NounWriters } from './write-nouns';

type ParamsWriters = {
  readonly [M in ServerMethod]: (params: ServerOperations[M]['params']) => JsonObject | undefined;
};

/** Compiles the writer of requests; a request that the revision does not have must not be written at all. */
export function serverRequestWriter(
  rules: RevisionRules,
  find: NounWriters,
): (request: ServerRequest) => WrittenServerRequest {
  const writers: ParamsWriters = {
    'elicitation/create': elicitationWriter(rules, find),
    'sampling/createMessage': samplingWriter(rules, find),
    'roots/list': () => undefined,
  };
  const write = <M extends ServerMethod>({ method, params }: ServerRequest<M>): WrittenServerRequest => {
    const written = writers[method](params);
    return written === undefined ? { method } : { method, params: written };
  };
  return write;
}

function elicitationWriter(rules: RevisionRules, find: NounWriters): (params: ElicitParams) => JsonObject {
  const writeSchema = formWriter(rules);
  const writeForm = find('ElicitRequestFormParams') ?? asJsonObject;
  const writeUrl = find('ElicitRequestURLParams') ?? asJsonObject;
  return (params) => {
    if (params.mode === 'url') return writeUrl(params);
    return writeForm({ ...params, requestedSchema: writeSchema(params.requestedSchema) });
  };
}

function samplingWriter(rules: RevisionRules, find: NounWriters): (params: CreateMessageParams) => JsonObject {
  const project = find('CreateMessageRequestParams') ?? asJsonObject;
  const writeMessage = find('SamplingMessage') ?? asJsonObject;
  const writeBlock = blockWriter(rules, find);
  const hasLists = find('ToolUseContent') !== undefined;
  const write = ({ content, ...message }: SamplingMessage): JsonObject[] => {
    const blocks = content.map((block) => writeBlock(block));
    const [only] = blocks;
    if (blocks.length === 1 && only) return [writeMessage({ ...message, content: only })];
    if (hasLists) return [writeMessage({ ...message, content: blocks })];
    // One block each: several messages of one speaker in a row say the same.
    return blocks.map((block) => writeMessage({ ...message, content: block }));
  };
  return (params) => ({ ...project(params), messages: params.messages.flatMap(write) });
}

/** Blocks of tools are there only where the request was found to be possible; the others as everywhere. */
function blockWriter(rules: RevisionRules, find: NounWriters): (block: SamplingContent) => JsonObject {
  const writeContent = contentWriter(rules.version, find);
  const nothing = projectFields([]);
  const writers: Readonly<Record<SamplingContent['type'], Writer>> = {
    text: writeContent,
    image: writeContent,
    audio: writeContent,
    tool_use: find('ToolUseContent') ?? nothing,
    tool_result: toolResultWriter(rules, find('ToolResultContent') ?? nothing),
  };
  return (block) => writers[block.type](block);
}

function toolResultWriter({ toolSchemas }: RevisionRules, project: Writer): Writer {
  if (toolSchemas === 'any') return project;
  return (block) => {
    const written = project(block);
    const { structuredContent } = written;
    return structuredContent === undefined || isJsonObject(structuredContent)
      ? written
      : { ...written, structuredContent: { result: structuredContent } };
  };
}
