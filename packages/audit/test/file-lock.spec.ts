/** The lock of a file, with real processes. They run what `npm run lock` has compiled from its source. */
import { fork, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { LOCK_MODULE, leaveLock } from '../../../test/support/killed-owner';
import { FileLock } from '../src/lock/file-lock';
import { removeFolders, temporaryFolder } from './open-sink';

afterEach(removeFolders);

const pathIn = (folder = temporaryFolder()): string => join(folder, 'audit.log.lock');
const nameIn = (path: string): string => readdirSync(path)[0] ?? '';
/** Changes a part of the name of an entry: `pid.started.random.place.host`. */
function rewrite(path: string, change: Readonly<Record<number, string>>): void {
  const name = nameIn(path);
  const parts = name.split('.').map((part, index) => change[index] ?? part);
  renameSync(join(path, name), join(path, parts.join('.')));
}
const taken = (path: string): FileLock => {
  const lock = FileLock.take(path);
  if (lock instanceof FileLock) return lock;
  throw new Error(`process ${lock.pid} has it`);
};

it('is had by one owner, who is named to the others, and leaves nothing behind', () => {
  const path = pathIn();
  const lock = taken(path);
  expect(FileLock.take(path)).toMatchObject({ pid: process.pid });
  lock.renew();
  lock.release();
  taken(path).release();
  expect(readdirSync(join(path, '..'))).toEqual([]);
});

it('is taken over at once from a process that was killed, and not from one that is alive, however long it is silent', () => {
  const path = pathIn();
  const pid = leaveLock(path);
  expect(nameIn(path)).toContain(`${pid}.`);
  const lock = taken(path);
  if (process.platform === 'linux') utimesSync(join(path, nameIn(path)), 0, 0);
  expect(FileLock.take(path)).toMatchObject({ pid: process.pid });
  lock.release();
});

describe('a plain file, as earlier versions have left it', () => {
  const leave = (text: string, isOld = false): string => {
    const path = pathIn();
    writeFileSync(path, text);
    if (isOld) utimesSync(path, 0, 0);
    return path;
  };
  const ended = (): number => spawnSync(process.execPath, ['--version']).pid;

  it.each([
    ['of a process that has ended', () => JSON.stringify({ pid: ended(), host: hostname() })],
    ['of another machine', () => JSON.stringify({ pid: process.pid, host: 'elsewhere' })],
    ['that says nothing', () => ''],
  ])('is taken over, if it is old: one %s', (_what, text) => {
    const path = leave(text(), true);
    taken(path).release();
    expect(existsSync(path)).toBe(false);
  });

  it('is a lock while its process lives, and for a minute if nobody knows', () => {
    const owner = { pid: process.pid, host: hostname() };
    expect(FileLock.take(leave(JSON.stringify(owner), true))).toMatchObject(owner);
    expect(FileLock.take(leave(''))).toMatchObject({ pid: 0 });
    expect(FileLock.take(leave('null'))).toMatchObject({ pid: 0 });
    expect(FileLock.take(leave(JSON.stringify({ pid: 7, host: 'elsewhere' })))).toMatchObject({
      pid: 7,
      host: 'elsewhere',
    });
  });

  it('is not removed if it is no lock of Sigil', () => {
    const path = leave('a shopping list', true);
    expect(FileLock.take(path)).toMatchObject({ pid: 0, host: 'another program' });
    expect(readFileSync(path, 'utf8')).toBe('a shopping list');
  });

  it('is that of another process that had the number before', () => {
    if (process.platform !== 'linux') return;
    const path = leave(JSON.stringify({ pid: process.pid, host: hostname(), started: '1' }), true);
    taken(path).release();
  });
});

it('does not take a process for another one that had its number before', () => {
  if (process.platform !== 'linux') return;
  const path = pathIn();
  const lost = taken(path);
  rewrite(path, { 1: '1' });
  const lock = taken(path);
  expect([lost.isOurs, lock.isOurs]).toEqual([false, true]);
  lock.release();
});

it('is taken over from a process that has ended and that nobody has asked how', async () => {
  if (process.platform !== 'linux') return;
  const path = pathIn();
  const lost = taken(path);
  // The shell becomes a program that does not know of its child.
  const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [pid] = (await once(createInterface(parent.stdout), 'line')) as [string];
  const fields = (): readonly string[] =>
    readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  // A shell might ask before it becomes that program.
  while (readFileSync(`/proc/${parent.pid}/comm`, 'utf8') !== 'sleep\n') await new Promise(setImmediate);
  process.kill(Number(pid), 'SIGKILL');
  while (fields()[0] !== 'Z') await new Promise(setImmediate);
  rewrite(path, { 0: pid, 1: fields()[19] ?? '' });
  taken(path).release();
  expect(lost.isOurs).toBe(false);
  parent.kill();
});

it('belongs to a process of another machine or container for as long as it is renewed, whatever runs here with its number', () => {
  const path = pathIn();
  const lost = taken(path);
  rewrite(path, { 3: 'abc123', 4: 'web-2' });
  expect(FileLock.take(path)).toMatchObject({ pid: process.pid, host: expect.stringContaining('web-2') });
  const { mtimeMs } = statSync(join(path, nameIn(path)));
  // Its clock is that of the volume: neither of the two machines counts.
  for (const distance of [-10_500, 3_600_000]) {
    utimesSync(join(path, nameIn(path)), new Date(0), new Date(mtimeMs + distance));
    const lock = taken(path);
    expect([lost.isOurs, lock.isOurs]).toEqual([false, true]);
    rewrite(path, { 3: 'abc123' });
  }
});

it('is not given back by a process that has lost it', () => {
  const path = pathIn();
  const lost = taken(path);
  rewrite(path, { 2: 'other' });
  lost.renew();
  lost.release();
  expect(lost.owner).toMatchObject({ pid: process.pid });
  expect(nameIn(path)).toContain('.other.');
});

it('is taken from an owner that was killed while it gave it back, and from one that nobody knows', () => {
  const path = pathIn();
  mkdirSync(path);
  const unknown = taken(path);
  renameSync(join(path, nameIn(path)), join(path, 'something'));
  expect(FileLock.take(path)).toMatchObject({ host: 'another machine' });
  utimesSync(join(path, 'something'), 0, 0);
  taken(path).release();
  expect([unknown.isOurs, existsSync(path)]).toEqual([false, false]);
});

it('says why no lock can be made', () => {
  const folder = temporaryFolder();
  expect(() => FileLock.take(join(folder, 'none', 'lock'))).toThrow('ENOENT');
  writeFileSync(join(folder, 'file'), '');
  expect(() => FileLock.take(join(folder, 'file', 'lock'))).toThrow('ENOTDIR');
});

describe('Of processes that start at once', () => {
  const PROGRAM = `
    import { FileLock } from '${LOCK_MODULE}';
    process.on('message', (path) => process.send(FileLock.take(path) instanceof FileLock));
    process.send('ready');`;
  let children: ChildProcess[] = [];

  beforeAll(async () => {
    const program = join(temporaryFolder(), 'starter.mjs');
    writeFileSync(program, PROGRAM);
    children = Array.from({ length: 6 }, () => fork(program, { execArgv: [] }));
    await Promise.all(children.map((child) => once(child, 'message')));
  });
  afterAll(async () => {
    const exits = children.map((child) => once(child, 'exit'));
    for (const child of children) child.kill();
    await Promise.all(exits);
  });

  /** @returns how many have won */
  async function start(path: string): Promise<number> {
    const answers = children.map((child) => once(child, 'message'));
    for (const child of children) child.send(path);
    return (await Promise.all(answers)).filter(([hasWon]) => hasWon === true).length;
  }

  it('exactly one has the lock', async () => {
    const folder = temporaryFolder();
    for (let round = 0; round < 100; round += 1) expect(await start(join(folder, `${round}`))).toBe(1);
  });

  it('exactly one takes over the lock of a process that was killed, and of one of another machine', async () => {
    const folder = temporaryFolder();
    for (let round = 0; round < 100; round += 1) {
      const path = join(folder, `${round}`);
      if (round === 0) leaveLock(path);
      else {
        taken(path);
        rewrite(path, round % 2 === 0 ? { 0: '999999999' } : { 3: 'abc123' });
        utimesSync(join(path, nameIn(path)), 0, 0);
      }
      expect(await start(path)).toBe(1);
    }
    expect(readdirSync(folder)).toHaveLength(100);
  });
});
