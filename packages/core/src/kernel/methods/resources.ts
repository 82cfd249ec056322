/** `resources/read`. */
import type { CacheHints, ReadResourceResult } from '@sigil-mcp/protocol';
import type { RunningCall } from '../../calls/running-call';
import { andThen } from '@sigil-mcp/base';
import { unknownResource } from '../../errors/unknown-entry';
import { checkUri } from '../../registry/absolute-uri';
import { dependsOnCaller } from '../../registry/visibility';
import type { MethodHandler } from '../method-handler';
import type { MethodServices } from './method-services';

/** Reads what is under a URI. */
export function readResource({ registry, cache }: MethodServices): MethodHandler<'resources/read'> {
  return {
    method: 'resources/read',
    capability: 'resources',
    locate(call) {
      const match = registry.findResource(call.params.uri);
      call.entry = match?.entry;
      call.arguments = match?.variables;
    },
    handle(call) {
      const { entry, params } = call;
      checkUri(params.uri);
      if (!entry) throw unknownResource(params.uri);
      return andThen(entry.invoke(call), (result) => {
        const isOfCaller = dependsOnCaller(entry) || (registry.hasPublic && !entry.policy.isPublic);
        return withHints(result, call, { ...cache, ...entry.cache, ...(isOfCaller && PRIVATE) });
      });
    },
  };
}

const PRIVATE = { cacheScope: 'private' } as const;

/** Adds how long, and by whom, a result may be cached: what is decided for one caller must not be served to another. */
function withHints(result: unknown, { isRetry }: RunningCall<'resources/read'>, hints: CacheHints): ReadResourceResult {
  // The entry's output was shaped for a resource when it was compiled.
  const read = result as ReadResourceResult;
  // What was made of one user's answers must not be served to another either.
  if (isRetry) return { ...read, ttlMs: 0, cacheScope: 'private' };
  return { ...read, ...hints };
}
