/** The database of the library: SQLite, in a file or in memory. */
import { Injectable, type OnStop } from '@sigil-mcp/core';
import { Database as Sqlite } from 'node-sqlite3-wasm';
import { SCHEMA } from './schema';

/** A value that SQLite stores in a column. */
export type Column = number | bigint | string | Uint8Array | null;
/** A row by the names of its columns. */
export type Row = Readonly<Record<string, Column>>;

/** The file of the database. */
export class DatabaseFile {
  /** @param path `:memory:` for a database that ends with the process */
  constructor(readonly path: string) {}
}

/** One connection. Its calls are synchronous, so no other request sees a `transaction` half done. */
@Injectable()
export class Database implements OnStop {
  readonly #sqlite: Sqlite;

  constructor({ path }: DatabaseFile) {
    this.#sqlite = new Sqlite(path);
    this.#sqlite.exec(SCHEMA);
  }

  /** Runs a statement that changes something. @returns the id of the row that was inserted last */
  run(sql: string, values: Column[] = []): number {
    return Number(this.#sqlite.run(sql, values).lastInsertRowid);
  }

  /** All rows. */
  all(sql: string, values: Column[] = []): Row[] {
    return this.#sqlite.all(sql, values) as Row[];
  }

  /** The first row, if there is one. */
  get(sql: string, values: Column[] = []): Row | undefined {
    return (this.#sqlite.get(sql, values) ?? undefined) as Row | undefined;
  }

  /** Does all of the work, or none of it. */
  transaction<T>(work: () => T): T {
    this.#sqlite.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#sqlite.exec('COMMIT');
      return result;
    } catch (error) {
      this.#sqlite.exec('ROLLBACK');
      throw error;
    }
  }

  onStop(): void {
    this.#sqlite.close();
  }
}
