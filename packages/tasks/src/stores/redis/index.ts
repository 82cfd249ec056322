/** The store of tasks in Redis. Only this entry loads `@sigil-mcp/redis`. */
export { redisTasks } from './redis-tasks';
export type { RedisTasksOptions } from './redis-tasks';
