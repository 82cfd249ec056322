/** The store of tasks in Redis. Only this entry loads `@sigil-mcp/redis`. */
export { redisTasks, type RedisTasksOptions } from './redis-tasks';
