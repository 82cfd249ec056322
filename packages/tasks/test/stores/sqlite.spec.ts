/** The store of tasks in SQLite, with node:sqlite and better-sqlite3: what every store does, and what a file must survive. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoreAway } from '@sigil-mcp/core/stores';
import type { StoredTask, TaskStore } from '@sigil-mcp/tasks';
import { sqliteTasks, type SqliteDatabase } from '@sigil-mcp/tasks/sqlite';
import { describeTaskStore, type OpenedTaskStore } from '@sigil-mcp/tasks/testing';
import { NODE_22, openBetterSqlite } from '../../../../test/support/supplies/sqlite';
import { describeWith } from '../../../../test/support/supplies/supply';
import { until } from '../../../../test/support/until';
import { compareWithMemory } from './compare-with-memory';

const ROOM = { tasks: 1e6, tasksPerHolder: 1e6, bytesPerHolder: 1e9, bytes: Infinity };
const LATER = Number.MAX_SAFE_INTEGER;
const isRoot = process.getuid?.() === 0;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sigil-tasks-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function program(name: string): string {
  return join(__dirname, 'sqlite', `${name}.mjs`);
}

function newTask(number = 1): StoredTask {
  const id = `${number}`.padStart(22, '0');
  return { id, version: 1, holder: 'h', dueAt: number, isEnded: false, text: 'text' };
}

/** Opens a file in a Node that has SQLite, as a user who is not the administrator. */
function openInNode(file: string, ...flags: readonly string[]): unknown {
  const user = isRoot ? { uid: 65_534, gid: 65_534 } : {};
  const { stdout, stderr } = spawnSync(NODE_22, [...flags, program('open'), file], { encoding: 'utf8', ...user });
  return stdout === '' ? stderr : JSON.parse(stdout);
}

function watch(store: TaskStore): string[] {
  const calls: string[] = [];
  store.watch((id, version) => calls.push(`${id ?? 'all'} ${version}`));
  return calls;
}

describeWith('sqlite', 'stores of tasks in SQLite', () => {
  const databases: SqliteDatabase[] = [];
  const stores: TaskStore[] = [];
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close?.();
    for (const database of databases.splice(0)) database.close();
  });

  function openDatabase(file = join(folder, 'tasks.db')): SqliteDatabase {
    const database = openBetterSqlite(file);
    databases.push(database);
    return database;
  }

  async function openStore(database = openDatabase()): Promise<TaskStore> {
    const store = sqliteTasks(database);
    await store.open?.('weather');
    stores.push(store);
    return store;
  }

  describe('with better-sqlite3', () => {
    function openStores(): OpenedTaskStore {
      const own = mkdtempSync(join(tmpdir(), 'sigil-tasks-'));
      const file = join(own, 'tasks.db');
      const databases = [file, file, file].map(openBetterSqlite);
      const [store, another, foreign] = databases.map((database) => sqliteTasks(database));
      const close = (): void => {
        databases.forEach((database) => database.close());
        rmSync(own, { recursive: true });
      };
      return { store: store as TaskStore, another: another as TaskStore, foreign: foreign as TaskStore, close };
    }

    describeTaskStore('does what every store does', openStores);

    it('answers as the store in memory does', async () => {
      await compareWithMemory(() => Promise.resolve(openStores()));
    });

    it('leaves the database open that it was given', async () => {
      const database = openDatabase();
      const store = await openStore(database);
      await store.create(newTask(), ROOM);
      await store.close?.();
      expect(database.prepare('SELECT count(*) AS count FROM tasks').get()).toEqual({ count: 1 });
    });

    it('keeps all numbers where the library returns big integers', async () => {
      const database = openDatabase() as SqliteDatabase & { defaultSafeIntegers(): void };
      database.defaultSafeIntegers();
      const store = await openStore(database);
      const task = { ...newTask(), dueAt: LATER };
      await store.create(task, ROOM);
      expect(await store.read(task.id)).toEqual(task);
      expect(await store.count()).toEqual({ unended: 1, bytes: 4 });
    });
  });

  it('with node:sqlite does what every store does, in the test runner of Node', () => {
    const words = ['--test-reporter=tap', program('contract')];
    const { stdout, status } = spawnSync(NODE_22, words, { encoding: 'utf8' });
    expect([status, /^# fail 0$/m.test(stdout), stdout]).toEqual([0, true, stdout]);
    expect(Number(/^# pass (\d+)$/m.exec(stdout)?.[1])).toBeGreaterThanOrEqual(24);
  });

  describe('in a file', () => {
    it('is read and written by its owner alone', () => {
      mkdirSync(join(folder, 'open'), { mode: 0o777 });
      chmodSync(join(folder, 'open'), 0o777);
      chmodSync(folder, 0o755);
      const file = join(folder, 'open', 'tasks.db');
      expect(openInNode(file)).toEqual({ count: { unended: 0, bytes: 0 } });
      expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    });

    it('is on the disk before a change resolves', async () => {
      const database = openDatabase();
      await openStore(database);
      expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
      // 2 is FULL: every transaction is written to the disk before it ends.
      expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
    });

    it('has everything that was acknowledged after its processes were killed, again and again', async () => {
      const file = join(folder, 'tasks.db');
      const acknowledged = new Map<string, number>();
      for (let round = 0; round < 4; round++) {
        // In the first round they create the file, all at once.
        const writers = Array.from({ length: 4 }, () => new Writer(file, acknowledged));
        const enough = acknowledged.size + 60;
        try {
          await until(() => acknowledged.size > enough && writers.every(({ count }) => count > 0));
        } finally {
          await Promise.all(writers.map((writer) => writer.kill()));
        }
        const database = openDatabase();
        expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
        const store = await openStore(database);
        let unended = 0;
        for (const id of await store.due(LATER, 1e6)) {
          const task = (await store.read(id)) as StoredTask;
          expect([id, task.version]).toEqual([id, Math.max(task.version, acknowledged.get(id) ?? 1)]);
          expect(task.text).toHaveLength(2000);
          if (!task.isEnded) unended++;
        }
        for (const id of acknowledged.keys()) expect(await store.read(id)).toMatchObject({ id });
        expect((await store.count()).unended).toBe(unended);
      }
    }, 60_000);

    it('reports each change of another process, with its version', async () => {
      const [store, another] = [await openStore(), await openStore()];
      const calls = watch(another);
      const tasks = Array.from({ length: 20 }, (_, index) => newTask(index));
      for (const task of tasks) {
        await store.create(task, ROOM);
        await another.replace({ ...task, version: 2 });
      }
      await store.remove(newTask(7).id, 2);
      await until(() => calls.filter((call) => call === `${newTask(7).id} 2`).length === 2);
      const expected = tasks.flatMap(({ id }) => [`${id} 1`, `${id} 2`]);
      expect([...calls].sort()).toEqual([...expected, `${newTask(7).id} 2`].sort());
    });

    it('reports once that there were many changes of another process', async () => {
      const [store, another] = [await openStore(), await openStore()];
      const calls = watch(another);
      for (let number = 0; number < 1100; number++) await store.create(newTask(number), ROOM);
      await until(() => calls.includes('all 0') || calls.length > 1000);
      expect(calls.filter((call) => call !== 'all 0')).toEqual([]);
      calls.length = 0;
      await store.remove(newTask(3).id, 1);
      await until(() => calls.length > 0);
      expect(calls).toEqual([`${newTask(3).id} 1`]);
    });

    it('does not grow with the number of its changes', async () => {
      const database = openDatabase();
      const store = await openStore(database);
      database.exec('PRAGMA synchronous = OFF');
      await store.create(newTask(), ROOM);
      for (let version = 2; version < 12_000; version++) await store.replace({ ...newTask(), version });
      const { count } = database.prepare('SELECT count(*) AS count FROM changes').get() as { count: number };
      expect(count).toBeLessThanOrEqual(10_100);
    });

    it('rejects a change that another process prevents for long, and has nothing of it', async () => {
      const [database, other] = [openDatabase(), openDatabase()];
      const store = await openStore(database);
      const calls = watch(store);
      other.exec('BEGIN IMMEDIATE');
      await expect(Promise.resolve(store.create(newTask(), ROOM))).rejects.toThrow(StoreAway);
      other.exec('COMMIT');
      expect(await store.read(newTask().id)).toBeUndefined();
      expect(calls).toEqual([]);
      expect(await store.create(newTask(), ROOM)).toBeUndefined();
      expect(calls).toEqual([`${newTask().id} 1`]);
    });

    it('waits for another process without keeping its own from work, and keeps the order', async () => {
      const [store, other] = [await openStore(), openDatabase()];
      const done: string[] = [];
      other.exec('BEGIN IMMEDIATE');
      const created = Promise.resolve(store.create(newTask(), ROOM)).then(() => done.push('created'));
      const read = Promise.resolve(store.read(newTask().id)).then((task) => done.push(`read ${task?.version}`));
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 1));
      expect(done).toEqual([]);
      other.exec('COMMIT');
      await Promise.all([created, read]);
      expect(done).toEqual(['created', 'read 1']);
    });

    it('goes on waiting after its process stood still for longer than a command waits', async () => {
      const [store, other] = [await openStore(), openDatabase()];
      other.exec('BEGIN IMMEDIATE');
      const created = Promise.resolve(store.create(newTask(), ROOM));
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 1));
      // Nothing of this process runs for six seconds, as when it is stopped.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 6000);
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 1));
      other.exec('COMMIT');
      expect(await created).toBeUndefined();
    });

    it('rejects commands before it is opened, and after it is closed', async () => {
      const store = sqliteTasks(openDatabase());
      await expect(Promise.resolve(store.count())).rejects.toThrow(StoreAway);
      await store.open?.('weather');
      expect(await store.count()).toEqual({ unended: 0, bytes: 0 });
      await store.close?.();
      await expect(Promise.resolve(store.create(newTask(), ROOM))).rejects.toThrow(StoreAway);
    });
  });

  describe('that cannot be opened', () => {
    it.each([
      ['in a folder that does not exist', () => join(folder, 'missing', 'tasks.db'), 'ENOENT'],
      ['in a folder that cannot be written', () => join(folder, 'read-only', 'tasks.db'), 'EACCES'],
      ['that are a folder', () => folder, 'EISDIR'],
    ])('%s are an error that names the file', (_, pathOf, reason) => {
      mkdirSync(join(folder, 'read-only'), { mode: 0o555 });
      chmodSync(folder, 0o755);
      expect(openInNode(pathOf())).toEqual({
        code: 'SIGIL_TASKS_SQLITE_OPEN',
        message: expect.stringMatching(new RegExp(`^${pathOf()} cannot be opened for tasks: ${reason}`)),
      });
    });

    it('in a file that can be written, but in a folder that cannot, are an error that says so', () => {
      const file = join(folder, 'tasks.db');
      writeFileSync(file, '', { mode: 0o666 });
      chmodSync(file, 0o666);
      chmodSync(folder, 0o555);
      expect(openInNode(file)).toEqual({
        code: 'SIGIL_TASKS_SQLITE_OPEN',
        message: expect.stringContaining('its folder exists, and that the user of this process may write'),
      });
      chmodSync(folder, 0o755);
    });

    it('are no database', () => {
      chmodSync(folder, 0o777);
      const file = join(folder, 'tasks.db');
      writeFileSync(file, 'This is a text of a person, and no database.'.repeat(100));
      chmodSync(file, 0o666);
      expect(openInNode(file)).toEqual({
        code: 'SIGIL_TASKS_SQLITE_OPEN',
        message: expect.stringContaining('file is not a database'),
      });
    });

    it('are those of another program, and stay as they are', async () => {
      const database = openDatabase();
      database.exec('CREATE TABLE people (name TEXT)');
      const store = sqliteTasks(database);
      await expect(Promise.resolve(store.open?.('weather'))).rejects.toMatchObject({
        code: 'SIGIL_TASKS_SQLITE_OTHER',
      });
      expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'delete' });
      expect(database.prepare('SELECT name FROM sqlite_master').all()).toEqual([{ name: 'people' }]);
    });

    it('are those of another server, and stay as they are', async () => {
      const database = openDatabase();
      const own = await openStore(database);
      await own.create(newTask(), ROOM);
      const store = sqliteTasks(database);
      await expect(Promise.resolve(store.open?.('news'))).rejects.toMatchObject({
        code: 'SIGIL_TASKS_SQLITE_SERVER',
        message: expect.stringContaining('has the tasks of the server "weather", and this is the server "news"'),
      });
      expect(await own.read(newTask().id)).toEqual(newTask());
      // The same server opens it again.
      await openStore(database);
    });

    it('are of a later version', async () => {
      const database = openDatabase();
      await openStore(database);
      database.exec('PRAGMA user_version = 2');
      const store = sqliteTasks(database);
      await expect(Promise.resolve(store.open?.('weather'))).rejects.toMatchObject({
        code: 'SIGIL_TASKS_SQLITE_VERSION',
        message: expect.stringContaining('version 2, and this version of @sigil-mcp/tasks knows version 1'),
      });
    });

    it('are in a Node without SQLite: the error names both ways out', () => {
      expect(openInNode(join(folder, 'tasks.db'), '--no-experimental-sqlite')).toEqual({
        code: 'SIGIL_TASKS_SQLITE_NODE',
        message: expect.stringMatching(/Node 22\S* has no SQLite.*Upgrade Node to 22\.13.*better-sqlite3/s),
      });
    });
  });
});

it.each([[''], [undefined], [null], [7], [{}], [{ exec: () => undefined }]])('sqliteTasks refuses %j', (value) => {
  expect(() => sqliteTasks(value as never)).toThrow(expect.objectContaining({ code: 'SIGIL_TASKS_SQLITE_DATABASE' }));
});

/** A process that writes until it is killed. */
class Writer {
  /** The changes that were acknowledged. */
  count = 0;
  readonly #process: ChildProcess;
  readonly #closed: Promise<unknown>;

  constructor(file: string, acknowledged: Map<string, number>) {
    this.#process = spawn(NODE_22, ['--no-warnings', program('write'), file], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#closed = once(this.#process, 'close');
    let rest = '';
    this.#process.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const [id = '', version] of lines.map((line) => line.split(' '))) {
        acknowledged.set(id, Number(version));
        this.count++;
      }
    });
  }

  /** Resolves when everything that it has written was read. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#closed;
  }
}
