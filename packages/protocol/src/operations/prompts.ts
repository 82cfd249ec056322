/** The operations of prompts, and completions of arguments. */
import type { ListParams } from '../model/metadata';
import type {
  ListPromptsResult,
  GetPromptParams,
  GetPromptResult,
  CompleteParams,
  CompleteResult,
  CompletionReference,
} from '../model/prompts';
import { listOf, resultReader, strings } from '../reading/read-result';
import type { Operation } from './operation';
import { PAGE_PARAMS, writerOf } from './shared-codecs';
import { readString, readStrings, readObject, readOptionalObject, throwInvalid } from '../reading/read-members';
import type { JsonObject } from '../jsonrpc/message';

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
    readResult: resultReader<GetPromptResult>({ messages: listOf('role') }),
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
    readResult: resultReader<ListPromptsResult>({ prompts: listOf('name') }),
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
