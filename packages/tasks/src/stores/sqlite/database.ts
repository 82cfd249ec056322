/** What the store needs of a library for SQLite: `node:sqlite` and `better-sqlite3` both have it. */
import { closeSync, openSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '@sigil-mcp/core/adapter';
import { isObject } from '@sigil-mcp/core/internal';
import { taskStoreError } from '../errors';

/** A value that a statement is given. */
type SqliteValue = string | number | Uint8Array;

/** A statement that was prepared. */
export interface SqliteStatement {
  /** Runs it. Returns how many rows it has changed. */
  run(...values: SqliteValue[]): { readonly changes: number | bigint };
  /** Its first row; undefined if there are no rows. */
  get(...values: SqliteValue[]): unknown;
  /** All its rows. */
  all(...values: SqliteValue[]): unknown[];
}

/** An open database: a `DatabaseSync` of `node:sqlite`, or a `Database` of `better-sqlite3`. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): SqliteStatement;
  close(): unknown;
}

/** A row, whose numbers may be of either kind by the settings of the library. */
export type Row = Readonly<Record<string, string | number | bigint | Uint8Array>>;

/** A connection to a database, which keeps its statements. */
export class SqliteConnection {
  readonly #statements = new Map<string, SqliteStatement>();

  constructor(readonly database: SqliteDatabase) {}

  /** Runs statements whose rows are not needed. */
  execute(sql: string): void {
    this.database.exec(sql);
  }

  /** Returns how many rows were changed. */
  run(sql: string, ...values: SqliteValue[]): number {
    return Number(this.#statement(sql).run(...values).changes);
  }

  first(sql: string, ...values: SqliteValue[]): Row | undefined {
    // SQLite returns what the statement selects.
    return this.#statement(sql).get(...values) as Row | undefined;
  }

  all(sql: string, ...values: SqliteValue[]): readonly Row[] {
    return this.#statement(sql).all(...values) as Row[];
  }

  /** Does everything in one step, which no other process interrupts; if it throws, nothing was done. */
  transaction<T>(act: () => T): T {
    this.execute('BEGIN IMMEDIATE');
    try {
      const result = act();
      this.execute('COMMIT');
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  #rollBack(): void {
    try {
      this.execute('ROLLBACK');
    } catch {
      // After some errors, as when the disk is full, SQLite has done it already.
    }
  }

  #statement(sql: string): SqliteStatement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

// Opens a file with the SQLite of Node.

/** Opens a database. */
type OpenDatabase = (path: string) => SqliteDatabase;

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

// Waits for the lock of a file without keeping the process from other work: SQLite itself would stop it.

/** Milliseconds that a command may wait for other processes. */
const PATIENCE = 5000;

/** The longest pause between two tries, in milliseconds. It varies, so that processes which wait do not meet again and again. */
const PAUSE = 8;

/**
 * What one try counts for at most, in milliseconds: a process that was stopped, or had no processor, has not asked for the lock
 * meanwhile.
 */
const LONGEST_TRY = 50;

/** The waiting of one connection. Commands that stand behind one that waits, wait with it. */
export class LockWait {
  /** Milliseconds that commands of this connection have waited so far. */
  #waited = 0;

  /** When a command that is given now has waited for too long, as `run` counts. */
  deadline(): number {
    return this.#waited + PATIENCE;
  }

  /**
   * Runs something again until no other process has the lock.
   * @param run throws an error of SQLite if the file is locked, and has done nothing then
   * @param deadline when the error is thrown after all, as of `deadline`
   */
  async run<T>(run: () => T, deadline: number): Promise<T> {
    for (;;) {
      const start = systemClock.elapsed();
      try {
        return run();
      } catch (error) {
        if (!isLocked(error) || this.#waited > deadline) throw error;
      }
      await delay(1 + Math.random() * PAUSE);
      this.#waited += Math.min(systemClock.elapsed() - start, LONGEST_TRY);
    }
  }
}

/** An error of a library may be of another realm: then it is no `Error` here. */
function isLocked(error: unknown): boolean {
  return isObject(error) && /\blocked\b/.test(String(error['message']));
}
