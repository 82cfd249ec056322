/** The store of rests in Redis. Only this entry loads `@sigil-mcp/redis`. */
export { redisResults, type RedisResultsOptions } from './redis-results';
