/** The tables of tasks, with their version and the name of their server in the file. */
import { nameValue } from '@sigil-mcp/core/internal';
import { taskStoreError } from '../errors';
import type { SqliteConnection } from './database';

/** The version of the tables. */
const VERSION = 1;

/** Milliseconds that SQLite waits for another process: not long, because the whole process stops. Then `LockWait` tries again. */
const BUSY_TIMEOUT = 5;

/**
 * `length` is the bytes that the text weighs, and `text` has it in UTF-8: as TEXT, it would end at the first NUL.
 * `changes` has the latest changes, for other processes.
 */
const TABLES = `
CREATE TABLE server (name TEXT NOT NULL);
CREATE TABLE tasks (
  id TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  holder TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  is_ended INTEGER NOT NULL,
  length INTEGER NOT NULL,
  text BLOB NOT NULL
);
CREATE INDEX tasks_by_due_at ON tasks (due_at);
CREATE INDEX tasks_by_holder ON tasks (holder, is_ended, length);
CREATE TABLE changes (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  origin TEXT NOT NULL
);
PRAGMA user_version = ${VERSION}`;

/**
 * Makes a connection durable, and creates the tables in a file that has none.
 * @param file its name in errors
 * @param server the name of the server whose tasks these are
 * @throws SigilError for tables of a later version, or of another program or server
 */
export function prepareSchema(connection: SqliteConnection, file: string, server: string): void {
  connection.execute(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}`);
  // Before anything is written: a file of another program stays as it is.
  if (isCurrent(connection, file)) {
    checkServer(connection, file, server);
    return makeDurable(connection);
  }
  makeDurable(connection);
  connection.transaction(() => {
    // Another process may have been first.
    if (isCurrent(connection, file)) return checkServer(connection, file, server);
    connection.execute(TABLES);
    connection.run('INSERT INTO server (name) VALUES (?)', server);
  });
}

function makeDurable(connection: SqliteConnection): void {
  connection.execute('PRAGMA journal_mode = WAL');
  connection.execute('PRAGMA synchronous = FULL');
}

/** The tasks of another server cannot be read with the secrets of this one, and would be removed in the end. */
function checkServer(connection: SqliteConnection, file: string, server: string): void {
  const other = connection.first('SELECT name FROM server')?.['name'];
  if (other !== server)
    throw taskStoreError('SIGIL_TASKS_SQLITE_SERVER', { file, other: nameValue(other), server: nameValue(server) });
}

function tablesOf(connection: SqliteConnection): readonly unknown[] {
  return connection.all("SELECT name FROM sqlite_master WHERE type = 'table'").map(({ name }) => name);
}

/** Whether the tables exist; false if the file is empty. */
function isCurrent(connection: SqliteConnection, file: string): boolean {
  const before = tablesOf(connection);
  const version = Number(connection.first('PRAGMA user_version')?.['user_version']);
  // Another process may have made them between the two.
  const tables = version === 0 ? before : tablesOf(connection);
  if (version === 0 && tables.length === 0) return false;
  if (!['server', 'tasks', 'changes'].every((name) => tables.includes(name)))
    throw taskStoreError('SIGIL_TASKS_SQLITE_OTHER', { file });
  if (version === VERSION) return true;
  throw taskStoreError('SIGIL_TASKS_SQLITE_VERSION', { file, version: `${version}`, known: `${VERSION}` });
}
