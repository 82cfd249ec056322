/** The store of tasks in SQLite. */
export type { SqliteDatabase, SqliteStatement } from './database';
export { sqliteTasks, type SqliteTasksOptions } from './sqlite-tasks';
