/** @see https://modelcontextprotocol.io/specification/2025-11-25/server/resources#subscriptions */
import type { EmptyResult } from '../model/params';
import type { ResourceUriParams } from '../model/resources';
import type { Operation } from './operation';
import { EMPTY_RESULT, URI_PARAMS } from './shared-codecs';

/** Ends a subscription to a resource. */
export const RESOURCES_UNSUBSCRIBE: Operation<'resources/unsubscribe', ResourceUriParams, EmptyResult> = {
  method: 'resources/unsubscribe',
  compile: () => ({ ...URI_PARAMS, ...EMPTY_RESULT }),
};
