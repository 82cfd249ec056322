/** @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources */
import type { ListParams } from '../model/params';
import type { ListResourceTemplatesResult } from '../model/resources';
import { listOf, resultReader } from '../reading/read-result';
import type { Operation } from './operation';
import { PAGE_PARAMS, writerOf } from './shared-codecs';

/** Lists templates of resources, page by page. */
export const RESOURCES_TEMPLATES_LIST: Operation<'resources/templates/list', ListParams, ListResourceTemplatesResult> =
  {
    method: 'resources/templates/list',
    isCacheable: true,
    compile: (wire) => ({
      ...PAGE_PARAMS,
      writeResult: writerOf('ListResourceTemplatesResult', wire),
      readResult: resultReader<ListResourceTemplatesResult>({ resourceTemplates: listOf('uriTemplate', 'name') }),
    }),
  };
