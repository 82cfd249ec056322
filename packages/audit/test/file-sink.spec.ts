/** Records in a file: rotation, repair, locks, and disks that are full. */
import fs, {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileSink } from '@sigil-mcp/audit';
import { leaveLock } from '../../../test/support/killed-owner';
import { readMark } from '../src/chain/chain';
import { FileSink } from '../src/sinks/file/file-sink';
import type { WriteBytes } from '../src/sinks/file/record-file';
import { Chain, keys, openingWith, removeFolders, sealed, temporaryFolder } from './open-sink';

afterEach(removeFolders);

const linesOf = (path: string): string[] => readFileSync(path, 'utf8').trimEnd().split('\n');
/** The lock of another machine, in place of the one that is there. @returns its entry */
function lockElsewhere(path: string): string {
  rmSync(`${path}.lock`, { recursive: true, force: true });
  mkdirSync(`${path}.lock`);
  const entry = join(`${path}.lock`, '1.1.r.abc123.elsewhere');
  writeFileSync(entry, '');
  return entry;
}
const pathIn = (folder = temporaryFolder()): string => join(folder, 'audit.log');

it('appends whole lines to a file that only its owner can read', () => {
  const path = pathIn();
  const lines = sealed(new Chain(keys), 3);
  for (const part of [lines.slice(0, 1), lines.slice(1)]) {
    const sink = new FileSink({ path });
    sink.open(openingWith());
    sink.write(part);
    sink.close();
  }
  expect(linesOf(path)).toEqual(lines);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(path, '..')).sort()).toEqual(['audit.log', 'audit.log.head']);
});

it('rotates by size, keeps so many files, and continues the chain over them', () => {
  const path = pathIn();
  const lines = sealed(new Chain(keys), 10);
  const opening = openingWith();
  const sink = new FileSink({ path, maxBytes: 500, keep: 2 });
  sink.open(opening);
  for (const line of lines) sink.write([line]);
  sink.close();
  const files = readdirSync(join(path, '..')).sort();
  expect(files).toEqual(['audit.log', 'audit.log.000003', 'audit.log.000004', 'audit.log.head']);
  expect(opening.logger.lines).toEqual(Array(2).fill('info: The oldest audit file was removed'));
  const rest = files.slice(1, 3).flatMap((name) => linesOf(join(path, '..', name)));
  expect([...rest, ...linesOf(path)]).toEqual(lines.slice(-rest.length - linesOf(path).length));
  const again = new FileSink({ path });
  expect(again.open(openingWith()).head).toMatchObject({ sequence: 10 });
  again.close();
});

it.each([
  ['have just room, and keeps them together', 0, 2],
  ['are a byte too long, and begins another file', -1, 1],
])('writes records that %s', (_what, more, count) => {
  const path = pathIn();
  const lines = sealed(new Chain(keys), 2);
  const sink = new FileSink({ path, maxBytes: Buffer.byteLength(`${lines.join('\n')}\n`) + more });
  sink.open(openingWith());
  for (const line of lines) sink.write([line]);
  sink.close();
  expect(linesOf(path)).toEqual(lines.slice(-count));
});

it('rotates when a day of UTC is over, unless that is not wanted', async () => {
  for (const daily of [true, false]) {
    const path = pathIn();
    const opening = openingWith();
    const [first = '', second = ''] = sealed(new Chain(keys), 2);
    const sink = new FileSink({ path, daily });
    sink.open(opening);
    sink.write([first]);
    await opening.clock.advance(86_400_000);
    sink.write([second]);
    sink.close();
    expect(linesOf(path)).toEqual(daily ? [second] : [first, second]);
  }
});

it('finds the end of the chain in the newest rotated file, if its own is empty', () => {
  const path = pathIn();
  writeFileSync(`${path}.000007`, `${sealed(new Chain(keys), 4).join('\n')}\n`);
  const sink = new FileSink({ path });
  expect(sink.open(openingWith()).head).toMatchObject({ sequence: 4 });
  sink.close();
});

it('removes what a crash has left of a last line, and tells', () => {
  const path = pathIn();
  const lines = sealed(new Chain(keys), 3);
  writeFileSync(path, `${lines.slice(0, 2).join('\n')}\n${lines[2]?.slice(0, 100)}`);
  const opening = openingWith();
  const sink = new FileSink({ path });
  expect(sink.open(opening)).toMatchObject({ head: { sequence: 2 }, torn: 100 });
  expect(opening.logger.lines).toEqual(['warn: The last audit record was cut off by a crash, and was removed']);
  sink.close();
  expect(linesOf(path)).toEqual(lines.slice(0, 2));
  writeFileSync(path, '{"version":1,"ki');
  const other = new FileSink({ path });
  expect(other.open(openingWith())).toMatchObject({ head: undefined, torn: 16 });
  other.close();
});

it('touches no file of somebody else', () => {
  const path = pathIn();
  writeFileSync(path, 'My thesis, without a line break at its end');
  expect(() => new FileSink({ path }).open(openingWith())).toThrow(
    expect.objectContaining({ code: 'SIGIL_AUDIT_FOREIGN' }),
  );
  expect(readFileSync(path, 'utf8')).toBe('My thesis, without a line break at its end');
  expect(existsSync(`${path}.lock`)).toBe(false);
});

it('says why a file cannot be opened', () => {
  const folder = temporaryFolder();
  for (const path of [join(folder, 'none', 'audit.log'), folder]) {
    const open = (): unknown => new FileSink({ path }).open(openingWith());
    expect(open).toThrow(expect.objectContaining({ code: 'SIGIL_AUDIT_FILE' }));
  }
  expect(existsSync(`${folder}.lock`)).toBe(false);
});

it('is used by one process, and takes over the lock of one that was killed', () => {
  const path = pathIn();
  leaveLock(`${path}.lock`);
  const sink = new FileSink({ path });
  sink.open(openingWith());
  expect(() => new FileSink({ path }).open(openingWith())).toThrow(
    expect.objectContaining({ code: 'SIGIL_AUDIT_LOCKED', message: expect.stringContaining(`process ${process.pid}`) }),
  );
  sink.close();
  expect(existsSync(`${path}.lock`)).toBe(false);
});

it('has the first file of its slots that no other process has, and goes on with the chain of that file', () => {
  const folder = temporaryFolder();
  const path = join(folder, '{slot}', 'audit-{slot}.log');
  for (const slot of ['1', '2']) mkdirSync(join(folder, slot));
  const lines = sealed(new Chain(keys), 2);
  const [first, second, third] = [1, 2, 3].map(() => new FileSink({ path }));
  first?.open(openingWith());
  leaveLock(join(folder, '2', 'audit-2.log.lock'));
  second?.open(openingWith());
  expect(() => first?.open(openingWith())).toThrow('audit-1.log is in use');
  first?.write(lines.slice(0, 1));
  first?.close();
  expect(third?.open(openingWith()).head).toMatchObject({ sequence: 1 });
  third?.write(lines.slice(1));
  third?.close();
  second?.close();
  expect(linesOf(join(folder, '1', 'audit-1.log'))).toEqual(lines);
  expect(readdirSync(join(folder, '2'))).toEqual(['audit-2.log']);
});

it('believes the lock of another machine for as long as it is renewed', async () => {
  const path = pathIn();
  const entry = lockElsewhere(path);
  expect(() => new FileSink({ path }).open(openingWith())).toThrow('process 1 of elsewhere');
  utimesSync(entry, 0, 0);
  const sink = new FileSink({ path });
  const opening = openingWith();
  sink.open(opening);
  const own = join(`${path}.lock`, readdirSync(`${path}.lock`)[0] ?? '');
  utimesSync(own, 0, 0);
  await opening.clock.advance(2000);
  expect(statSync(own).mtimeMs).toBeGreaterThan(0);
  sink.close();
});

it('is not written any more by a process that slept while another one took it over', async () => {
  const path = pathIn();
  const opening = openingWith();
  const lines = sealed(new Chain(keys), 3);
  const sink = new FileSink({ path });
  sink.open(opening);
  sink.write(lines.slice(0, 1));
  lockElsewhere(path);
  for (let attempt = 0; attempt < 2; attempt += 1)
    expect(() => sink.write(lines.slice(1, 2))).toThrow('is in use by process 1 of elsewhere');
  writeFileSync(`${path}.head`, 'of the other process');
  await opening.clock.advance(3000);
  // Once for the mark, and once for the lock.
  expect(opening.logger.lines).toEqual(Array(2).fill('error: The audit file cannot be kept safe'));
  expect(readFileSync(`${path}.head`, 'utf8')).toBe('of the other process');
  // The other one has written, and has ended.
  appendFileSync(path, `${lines[1]}\n`);
  rmSync(`${path}.lock`, { recursive: true });
  expect(() => sink.write(lines.slice(2))).toThrow('is in use by another process');
  sink.close();
  expect(linesOf(path)).toEqual(lines.slice(0, 2));
});

it('is not rotated by a process that has lost it', () => {
  const path = pathIn();
  const lines = sealed(new Chain(keys), 2);
  const sink = new FileSink({ path, maxBytes: 1 });
  sink.open(openingWith());
  sink.write(lines.slice(0, 1));
  const before = readdirSync(dirname(path)).length;
  lockElsewhere(path);
  expect(() => sink.write(lines.slice(1))).toThrow('is in use by process 1 of elsewhere');
  expect([readdirSync(dirname(path)).length, linesOf(path)]).toEqual([before, lines.slice(0, 1)]);
});

it('leaves the lock of another process where it is, and makes its own again if that was removed', () => {
  const path = pathIn();
  const sink = new FileSink({ path });
  const lines = sealed(new Chain(keys), 2);
  sink.open(openingWith());
  sink.write(lines.slice(0, 1));
  rmSync(`${path}.lock`, { recursive: true });
  sink.write(lines.slice(1));
  expect(existsSync(`${path}.lock`)).toBe(true);
  const other = lockElsewhere(path);
  expect(() => sink.close()).toThrow('is in use by process 1 of elsewhere');
  expect(existsSync(other)).toBe(true);
  expect(linesOf(path)).toEqual(lines);
});

it('neither repeats nor loses records that the disk did not keep at first', () => {
  const path = pathIn();
  const lines = sealed(new Chain(keys), 3);
  const sink = new FileSink({ path, fsync: 'each' });
  sink.open(openingWith());
  sink.write(lines.slice(0, 1));
  const failing = jest.spyOn(fs, 'fsyncSync').mockImplementation(() => {
    throw Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' });
  });
  for (let attempt = 0; attempt < 2; attempt += 1) expect(() => sink.write(lines.slice(1))).toThrow('EIO');
  // What was not kept cannot be taken back at first, either.
  const stuck = jest.spyOn(fs, 'ftruncateSync').mockImplementation(() => {
    throw new Error('EIO: i/o error, ftruncate');
  });
  expect(() => sink.write(lines.slice(1))).toThrow('ftruncate');
  failing.mockRestore();
  expect(() => sink.write(lines.slice(1))).toThrow('ftruncate');
  stuck.mockRestore();
  sink.write(lines.slice(1));
  sink.close();
  expect(linesOf(path)).toEqual(lines);
});

it('gives its lock back although its last records could not be kept', () => {
  const path = pathIn();
  const sink = new FileSink({ path, fsync: 'second' });
  sink.open(openingWith());
  sink.write(sealed(new Chain(keys), 1));
  const failing = jest.spyOn(fs, 'fsyncSync').mockImplementation(() => {
    throw new Error('EIO: i/o error, fsync');
  });
  expect(() => sink.close()).toThrow('EIO');
  failing.mockRestore();
  expect(existsSync(`${path}.lock`)).toBe(false);
});

it('marks the newest record every second, and at its end', async () => {
  const path = pathIn();
  const opening = openingWith();
  const lines = sealed(new Chain(keys), 2);
  const hashes = lines.map((line) => (JSON.parse(line) as { hash: string }).hash);
  const marked = (): string | undefined => readMark(readFileSync(`${path}.head`, 'utf8'))?.hash;
  const sink = new FileSink({ path });
  sink.open(opening);
  sink.write(lines.slice(0, 1));
  await opening.clock.advance(1000);
  expect(marked()).toBe(hashes[0]);
  sink.write(lines.slice(1));
  expect(marked()).toBe(hashes[0]);
  sink.close();
  expect(marked()).toBe(hashes[1]);
});

it('leaves no part of a record in the file if the disk is full, and goes on when it has room', () => {
  const path = pathIn();
  let room = 300;
  const write: WriteBytes = (file, bytes, offset) => {
    if (room === 0) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    const part = Math.min(room, bytes.length - offset, 70);
    room -= part;
    return writeSync(file, bytes, offset, part);
  };
  const sink = new FileSink({ path }, write);
  const lines = sealed(new Chain(keys), 3);
  sink.open(openingWith());
  sink.write(lines.slice(0, 1));
  expect(() => sink.write(lines.slice(1))).toThrow('ENOSPC');
  expect(readFileSync(path, 'utf8')).toBe(`${lines[0]}\n`);
  room = Infinity;
  sink.write(lines.slice(1));
  sink.close();
  expect(linesOf(path)).toEqual(lines);
});

it('fails as the system says on a full device, which Linux has', () => {
  if (!existsSync('/dev/full')) return;
  const path = pathIn();
  symlinkSync('/dev/full', path);
  const sink = new FileSink({ path, fsync: 'never' });
  sink.open(openingWith());
  for (let count = 0; count < 2; count += 1) expect(() => sink.write(['{}'])).toThrow('ENOSPC');
  sink.close();
});

it('asks the disk to keep records as often as is wanted', async () => {
  for (const fsync of ['each', 'second', 'never'] as const) {
    const path = pathIn();
    const opening = openingWith();
    const sink = new FileSink({ path, fsync });
    sink.open(opening);
    sink.write(sealed(new Chain(keys), 1));
    await opening.clock.advance(1000);
    sink.close();
    expect(linesOf(path)).toHaveLength(1);
    expect(opening.logger.lines).toEqual([]);
  }
});

it('refuses numbers that are none', () => {
  const open = (options: object) => () => fileSink({ path: 'audit.log', ...options });
  for (const options of [{ maxBytes: 0 }, { keep: -1 }, { keep: Number.NaN }, { maxBytes: '1' }])
    expect(open(options)).toThrow(expect.objectContaining({ code: 'SIGIL_AUDIT_NUMBER' }));
});

it('goes on after a rotation that failed', () => {
  const path = pathIn();
  const sink = new FileSink({ path, maxBytes: 300 });
  const lines = sealed(new Chain(keys), 2);
  sink.open(openingWith());
  sink.write(lines.slice(0, 1));
  // Nothing can be renamed to a folder that is not empty.
  mkdirSync(join(`${path}.000001`, 'full'), { recursive: true });
  sink.write(lines.slice(1));
  sink.close();
  expect(linesOf(`${path}.000002`)).toEqual(lines.slice(0, 1));
  expect(linesOf(path)).toEqual(lines.slice(1));
});

it('notices that its file was removed by another program, and begins again', async () => {
  const path = pathIn();
  const opening = openingWith();
  const sink = new FileSink({ path });
  const lines = sealed(new Chain(keys), 2);
  sink.open(opening);
  sink.write(lines.slice(0, 1));
  rmSync(path);
  await opening.clock.advance(10_000);
  sink.write(lines.slice(1));
  sink.close();
  expect(linesOf(path)).toEqual(lines.slice(1));
  expect(opening.logger.lines).toEqual([
    'error: The audit file was removed or renamed by another program, and begins again',
  ]);
});

it('is not closed by a second audit that cannot open it', () => {
  const path = pathIn();
  const sink = new FileSink({ path });
  const [line = ''] = sealed(new Chain(keys), 1);
  sink.open(openingWith());
  expect(() => sink.open(openingWith())).toThrow(expect.objectContaining({ code: 'SIGIL_AUDIT_LOCKED' }));
  expect(existsSync(`${path}.lock`)).toBe(true);
  sink.write([line]);
  sink.close();
  expect(linesOf(path)).toEqual([line]);
});
