/** @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/ping */
import type { EmptyResult, NoParams } from '../model/params';
import type { Operation } from './operation';
import { EMPTY_RESULT, NO_PARAMS } from './shared-codecs';

/** Checks that the other side answers. */
export const PING: Operation<'ping', NoParams, EmptyResult> = {
  method: 'ping',
  compile: () => ({ ...NO_PARAMS, ...EMPTY_RESULT }),
};
