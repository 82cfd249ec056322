/** The operations of resources: lists, contents and subscriptions. */
import type { ListParams, EmptyResult } from '../model/metadata';
import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
  ResourceUriParams,
} from '../model/resources';
import { listOf, resultReader } from '../reading/read-result';
import type { Operation } from './operation';
import { PAGE_PARAMS, writerOf, URI_PARAMS, EMPTY_RESULT } from './shared-codecs';

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
    readResult: resultReader<ReadResourceResult>({ contents: listOf('uri') }),
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
      readResult: resultReader<ListResourceTemplatesResult>({ resourceTemplates: listOf('uriTemplate', 'name') }),
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
    readResult: resultReader<ListResourcesResult>({ resources: listOf('uri', 'name') }),
  }),
};
