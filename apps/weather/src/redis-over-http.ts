/** Stores in a Redis over HTTP: what `docs/deployment.md` shows. */
// #region upstash
import type { Stores } from '@sigil-mcp/core/stores';
import { redis, upstash } from '@sigil-mcp/redis';

/** The stores in the Redis of an account at Upstash. */
export function storesOverHttp(): Stores {
  const { UPSTASH_REDIS_REST_URL: url = '', UPSTASH_REDIS_REST_TOKEN: token = '' } = process.env;
  return redis({ client: upstash({ url, token }) });
}
// #endregion upstash
