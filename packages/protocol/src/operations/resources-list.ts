/** @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources */
import type { ListParams } from '../model/params';
import type { ListResourcesResult } from '../model/resources';
import { listOf, resultReader } from '../reading/read-result';
import type { Operation } from './operation';
import { PAGE_PARAMS, writerOf } from './shared-codecs';

/** Lists resources, page by page. */
export const RESOURCES_LIST: Operation<'resources/list', ListParams, ListResourcesResult> = {
  method: 'resources/list',
  isCacheable: true,
  compile: (wire) => ({
    ...PAGE_PARAMS,
    writeResult: writerOf('ListResourcesResult', wire),
    readResult: resultReader<ListResourcesResult>({ resources: listOf('uri', 'name') }),
  }),
};
