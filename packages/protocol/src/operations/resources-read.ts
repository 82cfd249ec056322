/** @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources */
import type { ReadResourceResult, ResourceUriParams } from '../model/resources';
import { listOf, resultReader } from '../reading/read-result';
import type { Operation } from './operation';
import { URI_PARAMS, writerOf } from './shared-codecs';

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
