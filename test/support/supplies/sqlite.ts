/** SQLite for tests, as `npm run sqlite` installs it: a Node that has it, and the library better-sqlite3. */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { SqliteDatabase } from '@sigil-mcp/tasks/sqlite';

const modules = join(__dirname, '..', '..', '..', '.sigil', 'sqlite', 'node_modules');

/** A Node of version 22, whatever this one is. */
export const NODE_22 = join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** The library better-sqlite3. */
export const BETTER_SQLITE = join(modules, 'better-sqlite3');

/** Opens a database with better-sqlite3. */
export function openBetterSqlite(path: string): SqliteDatabase {
  const load = createRequire(__filename);
  return new (load(BETTER_SQLITE) as new (path: string) => SqliteDatabase)(path);
}

/** Whether both are there. */
export function hasSqlite(): boolean {
  try {
    openBetterSqlite(':memory:').close();
    return spawnSync(NODE_22, ['-e', 'require("node:sqlite")']).status === 0;
  } catch {
    return false;
  }
}
