/** The store of tasks in SQLite. */
export type { SqliteDatabase, SqliteStatement } from './database';
export { sqliteTasks } from './sqlite-tasks';
export type { SqliteTasksOptions } from './sqlite-tasks';
