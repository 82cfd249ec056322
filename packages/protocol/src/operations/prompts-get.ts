/** @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts */
import type { GetPromptParams, GetPromptResult } from '../model/prompts';
import { readString, readStrings } from '../reading/read-members';
import { listOf, resultReader } from '../reading/read-result';
import type { Operation } from './operation';
import { writerOf } from './shared-codecs';

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
