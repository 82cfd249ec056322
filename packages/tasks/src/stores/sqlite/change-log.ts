/** The changes of all processes that use one file: written with each change, and read while there are watchers. */
import { randomBytes } from 'node:crypto';
import { systemClock } from '@sigil-mcp/core/adapter';
import type { Timer } from '@sigil-mcp/core';
import type { TaskChanged } from '../task-store';
import { Watchers } from '../memory';
import type { Row, SqliteConnection } from './database';

/** Milliseconds between two looks at whether another process has changed the file. */
const LOOK = 200;

/** Changes that the file keeps, and how many are written until the oldest are removed. */
const KEPT = 10_000;
const STEP = 100;

/** Changes of others that are reported one by one; if there are more, watchers are called once for all. */
const ONE_BY_ONE = 1000;

/** Reports changes of this process at once, and those of others when it looks. */
export class SqliteChangeLog {
  readonly #watchers = new Watchers();
  readonly #origin = randomBytes(9).toString('base64url');
  #timer: Timer | undefined;
  /** Where this process has read to; undefined if that could not be read. */
  #seen: { number: number; fileVersion: number } | undefined;

  constructor(private readonly connection: () => SqliteConnection) {}

  watch(changed: TaskChanged): () => void {
    const remove = this.#watchers.add(changed);
    if (!this.#timer) {
      this.#try(() => (this.#seen = this.#now()));
      this.#timer = systemClock.every(LOOK, () => this.#try(() => this.#look())).unref();
    }
    return () => {
      remove();
      if (this.#watchers.size === 0) this.close();
    };
  }

  /** Writes a change, within its transaction. Returns its number. */
  write(id: string, version: number): number {
    const row = this.connection().first(
      'INSERT INTO changes (id, version, origin) VALUES (?, ?, ?) RETURNING number',
      id,
      version,
      this.#origin,
    );
    const number = Number(row?.['number']);
    if (number % STEP === 0) this.connection().run('DELETE FROM changes WHERE number <= ?', number - KEPT);
    return number;
  }

  /** Reports a change of this process, after its transaction. */
  done(number: number, id: string, version: number): void {
    if (this.#seen?.number === number - 1) this.#seen.number = number;
    this.#watchers.tell(id, version);
  }

  /** Stops looking. */
  close(): void {
    this.#timer?.close();
    this.#timer = undefined;
    this.#seen = undefined;
  }

  #look(): void {
    const { connection } = this;
    const seen = this.#seen;
    // The version of the file changes when another connection has written.
    if (seen && fileVersion(connection()) === seen.fileVersion) return;
    const now = this.#now();
    this.#seen = now;
    const changes = seen && this.#between(seen.number, now.number);
    if (!changes) return this.#watchers.tell(undefined, 0);
    for (const { id, version, origin } of changes)
      if (origin !== this.#origin) this.#watchers.tell(String(id), Number(version));
  }

  /** The changes after a number; undefined if there are too many, or if some were removed. */
  #between(after: number, last: number): readonly Row[] | undefined {
    if (last - after > ONE_BY_ONE) return undefined;
    const rows = this.connection().all(
      'SELECT id, version, origin FROM changes WHERE number > ? AND number <= ? ORDER BY number',
      after,
      last,
    );
    return rows.length === last - after ? rows : undefined;
  }

  /** The version is read first: what is written in between is looked at again. */
  #now(): { number: number; fileVersion: number } {
    const version = fileVersion(this.connection());
    const row = this.connection().first('SELECT coalesce(max(number), 0) AS number FROM changes');
    return { number: Number(row?.['number']), fileVersion: version };
  }

  /** What cannot be read now is read the next time. */
  #try(read: () => unknown): void {
    try {
      read();
    } catch {
      this.#seen = undefined;
    }
  }
}

function fileVersion(connection: SqliteConnection): number {
  return Number(connection.first('PRAGMA data_version')?.['data_version']);
}
