/** Tasks in a file of SQLite, which the processes of one machine share. */
import { SigilError, type Clock } from '@sigil-mcp/core';
import { OPTION_RULES, isObject, nameValue, requireOptions } from '@sigil-mcp/core/internal';
import { StoreAway } from '@sigil-mcp/core/stores';
import { taskStoreError } from '../errors';
import {
  bytesOf,
  type StoredTask,
  type TaskChanged,
  type TaskCount,
  type TaskRoom,
  type TaskStore,
  type TextRoom,
} from '../task-store';
import { SqliteChangeLog } from './change-log';
import { findNodeSqlite, LockWait, SqliteConnection, type Row, type SqliteDatabase } from './database';
import { prepareSchema } from './schema';

/** Options that are left out have their defaults. */
export interface SqliteTasksOptions {
  /** The source of time, for tests; the time of the machine, as SQLite tells it, if left out. */
  readonly clock?: Clock;
}

/**
 * A store of tasks in a file of SQLite. It has everything that it has acknowledged when the process or the machine ends without warning.
 * Several processes of one machine can share the file; a file on a network drive cannot be shared. Commands reject with `StoreAway` if the
 * file cannot be read or written, as when the disk is full. Opening the store rejects with `SigilError` if the file cannot be opened, is not a
 * file of tasks, or has the tasks of a server with another name.
 * @param file the path of a file, which is created if it does not exist, readable only by its owner: this needs `node:sqlite` of Node 22.13
 * or newer. Or an open `Database` of `better-sqlite3` that has nothing but tasks: it stays open
 * @throws SigilError for a path on an older Node, and for a value that is neither
 * @example tasks({ store: sqliteTasks('/var/lib/weather/tasks.db') })
 */
export function sqliteTasks(file: string | SqliteDatabase, options: SqliteTasksOptions = {}): TaskStore {
  requireOptions('sqliteTasks', options, { clock: OPTION_RULES.object });
  const { clock } = options;
  if (typeof file === 'string' && file !== '') {
    const open = findNodeSqlite();
    return new SqliteTaskStore(file, () => open(file), true, clock);
  }
  if (!isDatabase(file)) throw taskStoreError('SIGIL_TASKS_SQLITE_DATABASE', { value: nameValue(file) });
  return new SqliteTaskStore('The database', () => file, false, clock);
}

/** Milliseconds since 1970. */
const NOW = "SELECT CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER) AS now";
const COLUMNS = `count(*) FILTER (WHERE is_ended = 0) AS unended, coalesce(sum(length), 0) AS bytes,
  coalesce(sum(length) FILTER (WHERE is_ended = 1), 0) AS ended_bytes`;
/** Rows by the order in which their tasks have ended: one that ends becomes the last. */
const ENDED = 'SELECT rowid AS place, id, version, length FROM tasks WHERE is_ended = 1 AND rowid > ?';
/** How many of them are read at once. */
const PART = 100;

class SqliteTaskStore implements TaskStore {
  readonly isDurable = true;
  #connection: SqliteConnection | undefined;
  readonly #changes = new SqliteChangeLog(() => this.#opened);
  readonly #lock = new LockWait();
  /** Resolves when all commands so far have been done. */
  #commands: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly name: string,
    private readonly openDatabase: () => SqliteDatabase,
    private readonly isOwner: boolean,
    private readonly given: Clock | undefined,
  ) {}

  async open(server: string): Promise<void> {
    try {
      // Several processes may be opening a new file.
      await this.#lock.run(() => this.#open(server), this.#lock.deadline());
    } catch (error) {
      if (error instanceof SigilError) throw error;
      const reason = isObject(error) ? String(error['message']) : String(error);
      throw taskStoreError('SIGIL_TASKS_SQLITE_OPEN', { file: this.name, reason }, { cause: error });
    }
  }

  close(): void {
    this.#changes.close();
    if (this.isOwner) this.#connection?.database.close();
    this.#connection = undefined;
  }

  create(task: StoredTask, room: TaskRoom): Promise<keyof TaskRoom | undefined> {
    return this.#change(task, () => {
      if (this.#read(task.id)) return { answer: undefined, isDone: false };
      const limit = exceeded(room, this.#count(), this.#count(task.holder), task);
      if (limit) return { answer: limit, isDone: false };
      const { id, version, holder, dueAt, isEnded, text } = task;
      this.#opened.run(
        'INSERT INTO tasks (id, version, holder, due_at, is_ended, length, text) VALUES (?, ?, ?, ?, ?, ?, ?)',
        ...[id, version, holder, dueAt, Number(isEnded), bytesOf(text), Buffer.from(text)],
      );
      return { answer: undefined, isDone: true };
    });
  }

  read(id: string): Promise<StoredTask | undefined> {
    return this.#inOrder(() => this.#read(id));
  }

  replace(task: StoredTask, room?: TextRoom): Promise<boolean | keyof TextRoom> {
    return this.#change<boolean | keyof TextRoom>(task, () => {
      const limit = room && this.#exceeded(room, task);
      if (limit) return { answer: limit, isDone: false };
      const { id, version, dueAt, isEnded, text } = task;
      const count = this.#opened.run(
        `UPDATE tasks SET rowid = CASE WHEN is_ended < ? THEN (SELECT max(rowid) + 1 FROM tasks) ELSE rowid END,
          version = ?, due_at = ?, is_ended = ?, length = ?, text = ? WHERE id = ? AND version = ?`,
        ...[Number(isEnded), version, dueAt, Number(isEnded), bytesOf(text), Buffer.from(text), id, version - 1],
      );
      return { answer: count > 0, isDone: count > 0 };
    });
  }

  remove(id: string, version: number): Promise<boolean> {
    return this.#change({ id, version }, () => {
      const count = this.#opened.run('DELETE FROM tasks WHERE id = ? AND version = ?', id, version);
      return { answer: count > 0, isDone: count > 0 };
    });
  }

  async dropEnded(most: number, holder?: string): Promise<boolean> {
    const dropped = await this.#inOrder(() =>
      this.#opened.transaction(() =>
        this.#firstEnded(most, holder)?.map(({ id, version }) => {
          this.#opened.run('DELETE FROM tasks WHERE id = ?', id);
          return { id, version, number: this.#changes.write(id, version) };
        }),
      ),
    );
    for (const { number, id, version } of dropped ?? []) this.#changes.done(number, id, version);
    return dropped !== undefined;
  }

  due(now: number, limit: number, skip = 0): Promise<readonly string[]> {
    return this.#inOrder(() =>
      this.#opened
        .all('SELECT id FROM tasks WHERE due_at <= ? ORDER BY due_at, id LIMIT ? OFFSET ?', now, limit, skip)
        .map(({ id }) => String(id)),
    );
  }

  /** The time of the machine, which all processes share that share the file. */
  now(): Promise<number> {
    if (this.given) return Promise.resolve(this.given.now());
    return this.#inOrder(() => Number(this.#opened.first(NOW)?.['now']));
  }

  count(holder?: string): Promise<TaskCount> {
    return this.#inOrder(() => {
      const { unended, bytes } = this.#count(holder);
      return { unended, bytes };
    });
  }

  watch(changed: TaskChanged): () => void {
    return this.#changes.watch(changed);
  }

  get #opened(): SqliteConnection {
    if (!this.#connection) throw new StoreAway('The store is not open.');
    return this.#connection;
  }

  #open(server: string): void {
    const connection = new SqliteConnection(this.openDatabase());
    try {
      prepareSchema(connection, this.name, server);
      this.#connection = connection;
    } catch (error) {
      if (this.isOwner) connection.database.close();
      throw error;
    }
  }

  /** Makes a change in one transaction, with its entry for other processes; it is reported when it is in the file. */
  async #change<T>(
    { id, version }: Pick<StoredTask, 'id' | 'version'>,
    make: () => { readonly answer: T; readonly isDone: boolean },
  ): Promise<T> {
    const { answer, number } = await this.#inOrder(() =>
      this.#opened.transaction(() => {
        const made = make();
        return { answer: made.answer, number: made.isDone ? this.#changes.write(id, version) : undefined };
      }),
    );
    if (number !== undefined) this.#changes.done(number, id, version);
    return answer;
  }

  /** Runs a command after those before it, which may be waiting for another process. */
  #inOrder<T>(run: () => T): Promise<T> {
    const deadline = this.#lock.deadline();
    const done = this.#commands
      .then(() => this.#lock.run(run, deadline))
      .catch((error: unknown) => {
        throw error instanceof StoreAway ? error : new StoreAway(error);
      });
    this.#commands = done.catch(() => undefined);
    return done;
  }

  /** The first limit that a text would exceed that has more bytes than the one before. */
  #exceeded(room: TextRoom, { id, version, text }: StoredTask): keyof TextRoom | undefined {
    const before = this.#opened.first('SELECT holder, length FROM tasks WHERE id = ? AND version = ?', id, version - 1);
    const more = bytesOf(text) - Number(before?.['length']);
    if (!before || more <= 0) return undefined;
    if (this.#count(String(before['holder'])).bytes + more > room.bytesPerHolder) return 'bytesPerHolder';
    return this.#count().bytes + more > room.bytes ? 'bytes' : undefined;
  }

  /** The tasks that ended first without which the texts have no more bytes; undefined if those that have not ended have more. */
  #firstEnded(most: number, holder: string | undefined): readonly Pick<StoredTask, 'id' | 'version'>[] | undefined {
    const { bytes, endedBytes } = this.#count(holder);
    if (bytes - endedBytes > most) return undefined;
    const found: Pick<StoredTask, 'id' | 'version'>[] = [];
    let [missing, after] = [bytes - most, 0];
    while (missing > 0)
      for (const { place, id, version, length } of this.#endedAfter(after, holder)) {
        if (missing > 0) found.push({ id: String(id), version: Number(version) });
        missing -= Number(length);
        after = Number(place);
      }
    return found;
  }

  #endedAfter(place: number, holder: string | undefined): readonly Row[] {
    if (holder === undefined) return this.#opened.all(`${ENDED} ORDER BY rowid LIMIT ${PART}`, place);
    return this.#opened.all(`${ENDED} AND holder = ? ORDER BY rowid LIMIT ${PART}`, place, holder);
  }

  #read(id: string): StoredTask | undefined {
    const row = this.#opened.first('SELECT version, holder, due_at, is_ended, text FROM tasks WHERE id = ?', id);
    return row && readTask(id, row);
  }

  #count(holder?: string): TaskCount & { readonly endedBytes: number } {
    const row =
      holder === undefined
        ? this.#opened.first(`SELECT ${COLUMNS} FROM tasks`)
        : this.#opened.first(`SELECT ${COLUMNS} FROM tasks WHERE holder = ?`, holder);
    const { unended, bytes, ended_bytes: endedBytes } = row ?? {};
    return { unended: Number(unended), bytes: Number(bytes), endedBytes: Number(endedBytes) };
  }
}

/** The first limit that a new task would exceed. */
function exceeded(room: TaskRoom, all: TaskCount, held: TaskCount, task: StoredTask): keyof TaskRoom | undefined {
  const own = task.isEnded ? 0 : 1;
  if (all.unended + own > room.tasks) return 'tasks';
  if (held.unended + own > room.tasksPerHolder) return 'tasksPerHolder';
  const bytes = bytesOf(task.text);
  if (held.bytes + bytes > room.bytesPerHolder) return 'bytesPerHolder';
  return all.bytes + bytes > room.bytes ? 'bytes' : undefined;
}

function readTask(id: string, row: Row): StoredTask {
  return {
    id,
    version: Number(row['version']),
    holder: String(row['holder']),
    dueAt: Number(row['due_at']),
    isEnded: Number(row['is_ended']) === 1,
    text: readText(row['text']),
  };
}

function readText(bytes: Row[string] | undefined): string {
  return bytes instanceof Uint8Array ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString() : '';
}

function isDatabase(value: unknown): value is SqliteDatabase {
  // A database of a library is an object of a class, whose methods are not its own.
  return (
    typeof value === 'object' &&
    value !== null &&
    ['exec', 'prepare', 'close'].every((name) => typeof Reflect.get(value, name) === 'function')
  );
}
