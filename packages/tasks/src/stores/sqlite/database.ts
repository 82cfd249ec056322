/** What the store needs of a library for SQLite: `node:sqlite` and `better-sqlite3` both have it. */

/** A value that a statement is given. */
export type SqliteValue = string | number | Uint8Array;

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
