/** @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools */
import type { ListParams } from '../model/params';
import type { ListToolsResult } from '../model/tools';
import { listOf, resultReader } from '../reading/read-result';
import type { Operation } from './operation';
import { PAGE_PARAMS, writerOf } from './shared-codecs';

/** Lists tools, page by page. */
export const TOOLS_LIST: Operation<'tools/list', ListParams, ListToolsResult> = {
  method: 'tools/list',
  isCacheable: true,
  compile: (wire) => ({
    ...PAGE_PARAMS,
    writeResult: writerOf('ListToolsResult', wire),
    readResult: resultReader<ListToolsResult>({ tools: listOf('name') }),
  }),
};
