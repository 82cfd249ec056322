/** @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts */
import type { ListParams } from '../model/params';
import type { ListPromptsResult } from '../model/prompts';
import { listOf, resultReader } from '../reading/read-result';
import type { Operation } from './operation';
import { PAGE_PARAMS, writerOf } from './shared-codecs';

/** Lists prompts, page by page. */
export const PROMPTS_LIST: Operation<'prompts/list', ListParams, ListPromptsResult> = {
  method: 'prompts/list',
  isCacheable: true,
  compile: (wire) => ({
    ...PAGE_PARAMS,
    writeResult: writerOf('ListPromptsResult', wire),
    readResult: resultReader<ListPromptsResult>({ prompts: listOf('name') }),
  }),
};
