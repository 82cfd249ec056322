/** Opens a file with the SQLite of Node. */
import { closeSync, openSync } from 'node:fs';
import { taskStoreError } from '../errors';
import type { SqliteDatabase } from './database';

/** Opens a database. */
export type OpenDatabase = (path: string) => SqliteDatabase;

/**
 * Finds the SQLite of Node.
 * @throws SigilError on a Node without it: older than 22.13
 */
export function findNodeSqlite(): OpenDatabase {
  // The types are those of the oldest Node, which does not have it.
  const sqlite = process.getBuiltinModule('node:sqlite' as 'node:fs') as unknown as
    { readonly DatabaseSync: new (path: string) => SqliteDatabase } | undefined;
  if (!sqlite) throw taskStoreError('SIGIL_TASKS_SQLITE_NODE', { version: process.versions.node });
  return (path) => {
    createFile(path);
    return new sqlite.DatabaseSync(path);
  };
}

/** Only its owner can read a file that is new. SQLite gives the files next to it the same permissions. */
function createFile(path: string): void {
  if (path !== ':memory:') closeSync(openSync(path, 'a', 0o600));
}
