/** The errors of stores for authors of servers and of stores. */
import { defineErrors, type CatalogueGroup } from '@sigil-mcp/core/internal';

const ERRORS = defineErrors({
  SIGIL_TASKS_SQLITE_DATABASE: {
    problem: 'sqliteTasks() was given {value}.',
    fix: 'Pass the path of a file, or an open Database of better-sqlite3.',
  },
  SIGIL_TASKS_SQLITE_NODE: {
    problem: 'sqliteTasks() was given a path, but Node {version} has no SQLite.',
    fix: "Upgrade Node to 22.13 or newer, or install better-sqlite3 and pass its database: sqliteTasks(new Database('tasks.db')).",
  },
  SIGIL_TASKS_SQLITE_OPEN: {
    problem: '{file} cannot be opened for tasks: {reason}.',
    fix: 'Check the path, that its folder exists, and that the user of this process may write to the file and to the folder: SQLite writes more files there.',
  },
  SIGIL_TASKS_SQLITE_OTHER: {
    problem: '{file} has tables of another program.',
    fix: 'Give tasks a file of their own.',
  },
  SIGIL_TASKS_SQLITE_SERVER: {
    problem: '{file} has the tasks of the server {other}, and this is the server {server}.',
    fix: 'Give each server a file of its own. If the server was renamed, give it its old name until its tasks have ended.',
  },
  SIGIL_TASKS_SQLITE_VERSION: {
    problem: '{file} has tables of version {version}, and this version of @sigil-mcp/tasks knows version {known}.',
    fix: 'Update @sigil-mcp/tasks in every process that uses the file, or give this one another file.',
  },
  SIGIL_TASKS_TEST_FRAMEWORK: {
    problem: 'describeTaskStore() found no `describe` and `it`.',
    fix: "Run the file with a test runner that defines them globally, such as jest, or pass them: describeTaskStore(name, open, { describe, it }), with those of 'node:test' or 'vitest'.",
  },
});

/** Makes an error of the stores, to be thrown. */
export const { error: taskStoreError } = ERRORS;

/** The sections of docs/errors. */
export const ERROR_GROUPS: readonly CatalogueGroup[] = [
  {
    title: 'Stores of tasks',
    about: 'Thrown by the stores of `@sigil-mcp/tasks`, and by the tests for stores in `@sigil-mcp/tasks/testing`.',
    errors: ERRORS.entries,
  },
];
