/** The operations of prompts with their completions, of tools and of resources. */
import type { JsonObject } from '../jsonrpc/message';
import { InvalidArguments } from '../jsonrpc/protocol-error';
import type { EmptyResult, ListParams } from '../model/metadata';
import type {
  CallToolParams,
  CallToolResult,
  CompleteParams,
  CompleteResult,
  CompletionReference,
  GetPromptParams,
  GetPromptResult,
  ListPromptsResult,
  ListResourcesResult,
  ListResourceTemplatesResult,
  ListToolsResult,
  ReadResourceResult,
  ResourceUriParams,
} from '../model/features';
import {
  checkBlock,
  checkContents,
  listOf,
  readObject,
  readOptionalObject,
  readString,
  readStrings,
  resultReader,
  strings,
  throwInvalid,
} from '../reading/read-members';
import { callResultText, callResultWriter } from '../writing/write-call-result';
import { contentWriter } from '../writing/write-content';
import { EMPTY_RESULT, PAGE_PARAMS, URI_PARAMS, writerOf, type Operation } from './operation';

/**
 * Suggests values for an argument of a prompt, or a variable of a template.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion
 */
export const COMPLETION_COMPLETE: Operation<'completion/complete', CompleteParams, CompleteResult> = {
  method: 'completion/complete',
  compile(wire) {
    const hasContext = wire.rules.fields.CompleteRequestParams?.includes('context') === true;
    return {
      readParams: hasContext ? readParams : readWithoutContext,
      writeParams: ({ ref, argument, previous }) => ({
        ref: { ...ref },
        argument: { ...argument },
        ...(hasContext && Object.keys(previous).length > 0 && { context: { arguments: previous } }),
      }),
      writeResult: writerOf('CompleteResult', wire),
      readResult: resultReader<CompleteResult>({
        completion: (result, member, at) => strings(readObject(result, member, at), 'values', `${at}.${member}`),
      }),
    };
  },
};

/** Gets the messages of a prompt. */
export const PROMPTS_GET: Operation<'prompts/get', GetPromptParams, GetPromptResult> = {
  method: 'prompts/get',
  nameParameter: 'name',
  mayAsk: true,
  compile: (wire) => ({
    readParams: (params) => ({
      name: readString(params, 'name', 'params'),
      arguments: readStrings(params, 'arguments', 'params'),
    }),
    writeParams: ({ name, arguments: args }) => ({ name, arguments: args }),
    writeResult: writerOf('GetPromptResult', wire),
    readResult: resultReader<GetPromptResult>({
      messages: listOf(['role'], (message, at) => checkBlock(readObject(message, 'content', at), `${at}.content`)),
    }),
  }),
};

/**
 * Lists prompts, page by page.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts
 */
export const PROMPTS_LIST: Operation<'prompts/list', ListParams, ListPromptsResult> = {
  method: 'prompts/list',
  isCacheable: true,
  compile: (wire) => ({
    ...PAGE_PARAMS,
    writeResult: writerOf('ListPromptsResult', wire),
    readResult: resultReader<ListPromptsResult>({ prompts: listOf(['name']) }),
  }),
};

function readParams(params: JsonObject): CompleteParams {
  const context = readOptionalObject(params, 'context', 'params');
  const previous = context === undefined ? {} : readStrings(context, 'arguments', 'params.context');
  return { ...readWithoutContext(params), previous };
}

function readWithoutContext(params: JsonObject): CompleteParams {
  const ref = readReference(readObject(params, 'ref', 'params'));
  const argument = readObject(params, 'argument', 'params');
  return {
    ref,
    argument: {
      name: readString(argument, 'name', 'params.argument'),
      value: readString(argument, 'value', 'params.argument'),
    },
    previous: {},
  };
}

function readReference(ref: JsonObject): CompletionReference {
  const { type } = ref;
  if (type === 'ref/prompt') return { type, name: readString(ref, 'name', 'params.ref') };
  if (type === 'ref/resource') return { type, uri: readString(ref, 'uri', 'params.ref') };
  return throwInvalid('params.ref', 'type', '"ref/prompt" or "ref/resource"');
}

// The operations of tools.

/**
 * Calls a tool.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools
 */
export const TOOLS_CALL: Operation<'tools/call', CallToolParams, CallToolResult> = {
  method: 'tools/call',
  nameParameter: 'name',
  mayAsk: true,
  compile({ rules, find }) {
    const writeBlock = contentWriter(rules.version, find);
    const isReadable = rules.invalidToolArguments === 'result';
    return {
      readParams: (params) => ({
        name: readString(params, 'name', 'params'),
        arguments: readOptionalObject(params, 'arguments', 'params') ?? {},
      }),
      writeParams: ({ name, arguments: args }) => ({ name, arguments: args }),
      writeResult: callResultWriter(rules, writeBlock),
      writeMembers: callResultText(rules, writeBlock),
      resultOf: (error) =>
        isReadable && error instanceof InvalidArguments
          ? { content: [{ type: 'text', text: error.message }], isError: true }
          : undefined,
      readResult(result) {
        const read = readCallResult(result);
        // The model says whether it is an error; on the wire, a result without the member is not an error.
        return result['isError'] === undefined ? { ...read, isError: false } : read;
      },
    };
  },
};

const readCallResult = resultReader<CallToolResult>({ content: listOf([], checkBlock) });

/** Lists tools, page by page. */
export const TOOLS_LIST: Operation<'tools/list', ListParams, ListToolsResult> = {
  method: 'tools/list',
  isCacheable: true,
  compile: (wire) => ({
    ...PAGE_PARAMS,
    writeResult: writerOf('ListToolsResult', wire),
    readResult: resultReader<ListToolsResult>({ tools: listOf(['name']) }),
  }),
};

// The operations of resources: lists, contents and subscriptions.

/**
 * Ends a subscription to a resource.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/resources#subscriptions
 */
export const RESOURCES_UNSUBSCRIBE: Operation<'resources/unsubscribe', ResourceUriParams, EmptyResult> = {
  method: 'resources/unsubscribe',
  compile: () => ({ ...URI_PARAMS, ...EMPTY_RESULT }),
};

/**
 * Subscribes to the changes of a resource.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/resources#subscriptions
 */
export const RESOURCES_SUBSCRIBE: Operation<'resources/subscribe', ResourceUriParams, EmptyResult> = {
  method: 'resources/subscribe',
  compile: () => ({ ...URI_PARAMS, ...EMPTY_RESULT }),
};

/** Reads the contents of a resource. */
export const RESOURCES_READ: Operation<'resources/read', ResourceUriParams, ReadResourceResult> = {
  method: 'resources/read',
  nameParameter: 'uri',
  mayAsk: true,
  isCacheable: true,
  compile: (wire) => ({
    ...URI_PARAMS,
    writeResult: writerOf('ReadResourceResult', wire),
    readResult: resultReader<ReadResourceResult>({ contents: listOf([], checkContents) }),
  }),
};

/** Lists templates of resources, page by page. */
export const RESOURCES_TEMPLATES_LIST: Operation<'resources/templates/list', ListParams, ListResourceTemplatesResult> =
  {
    method: 'resources/templates/list',
    isCacheable: true,
    compile: (wire) => ({
      ...PAGE_PARAMS,
      writeResult: writerOf('ListResourceTemplatesResult', wire),
      readResult: resultReader<ListResourceTemplatesResult>({ resourceTemplates: listOf(['uriTemplate', 'name']) }),
    }),
  };

/**
 * Lists resources, page by page.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources
 */
export const RESOURCES_LIST: Operation<'resources/list', ListParams, ListResourcesResult> = {
  method: 'resources/list',
  isCacheable: true,
  compile: (wire) => ({
    ...PAGE_PARAMS,
    writeResult: writerOf('ListResourcesResult', wire),
    readResult: resultReader<ListResourcesResult>({ resources: listOf(['uri', 'name']) }),
  }),
};
