/** The store of rests in Redis. Only this entry loads `@sigil-mcp/redis`. */
export { redisResults } from './redis-results';
export type { RedisResultsOptions } from './redis-results';
