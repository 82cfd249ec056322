/**
 * The lock of a file, of an installation and of the set-up of this repository: `@sigil-mcp/audit/file-lock`. It is a folder with one entry,
 * whose name says who has it. A folder gets its name with its entry in it, so nobody sees a lock without its owner; and of several processes that
 * take over the entry of one that has ended, one can rename it. It imports Node alone: `npm run lock` compiles it for the set-up of the repository.
 */
import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** Who has a lock, as far as its entry tells. */
export interface LockOwner {
  readonly pid: number;
  readonly host: string;
}

/** What the name of an entry says. */
interface LockEntry extends LockOwner {
  readonly name: string;
  /** When the process started, as its system counts; `0` where the system does not tell. */
  readonly started: string;
  /** Where the number of the process has a meaning. */
  readonly place: string;
}

/** Milliseconds between two renewals of a lock that is held for longer than a moment. */
export const RENEWAL = 2000;
/** Milliseconds after which a process that cannot be asked has ended, if it did not renew its lock. */
const STALE = 10_000;
const MODE = 0o600;
/** In place of the name of an entry: the lock is the file of an earlier version, with its owner as JSON. */
const PLAIN_FILE = '';
/** Its place, if it is not of Sigil. */
const STRANGER = 'stranger';
/** Milliseconds after which such a file was left, unless its process lives on this machine: it was renewed more often. */
const STALE_FILE = 60_000;
/** The places of the state and of the start in the fields after the name of the program. */
const STATE_FIELD = 0;
const START_FIELD = 19;
const ENDED = ['Z', 'X'];
const ENTRY = /^(\d+)\.(\w+)\.([\w-]+)\.([\da-f]+)\.(.*)$/;
/** What others have done between two steps of one attempt; each attempt then sees the lock as it is now. */
const LOST_RACE = ['ENOENT', 'ENOTEMPTY', 'EEXIST', 'EPERM', 'EACCES', 'EBUSY', 'EISDIR', 'ENOTDIR'];
const ATTEMPTS = 100;

/** A lock that this process has taken, until it is released or another process has taken it over. */
export class FileLock {
  readonly #entry: string;

  private constructor(
    private readonly folder: string,
    name: string,
  ) {
    this.#entry = join(folder, name);
  }

  /**
   * Takes a lock, at once or not at all. The lock of a process that has ended is taken over. Whether it has is asked of the system, where the
   * process belongs to it. On another machine or in another container it has ended if it has not renewed its lock for ten seconds.
   * @param path of the lock; its folder exists
   * @returns the lock, or who has it
   * @throws an error of the system if no lock can be made there
   */
  static take(path: string): FileLock | LockOwner {
    const name = nameOfThis();
    for (let attempt = 0; ; attempt += 1) {
      try {
        const owner = findOwner(path);
        if (owner && isHeld(path, owner)) return owner;
        // What has become a folder meanwhile is not removed.
        if (owner?.name === PLAIN_FILE) unlinkSync(path);
        if (owner && owner.name !== PLAIN_FILE) takeOver(path, owner.name, name);
        else make(path, name);
        return new FileLock(path, name);
      } catch (error) {
        if (attempt === ATTEMPTS || !LOST_RACE.includes(codeOf(error))) throw error;
      }
    }
  }

  /** Who has it now; undefined if it was removed. */
  get owner(): LockOwner | undefined {
    return findOwner(this.folder);
  }

  /** Whether this process still has it. One that slept, as on a laptop that was closed, may have lost it. */
  get isOurs(): boolean {
    return existsSync(this.#entry);
  }

  /** Tells those who cannot ask for this process that it goes on. Nothing happens if the lock was lost. */
  renew(): void {
    try {
      touch(this.#entry);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
    }
  }

  /** Gives it back, unless another process has it. */
  release(): void {
    rmSync(this.#entry, { force: true });
    removeEmpty(this.folder);
  }
}

/** Gives a folder with the entry the name of the lock. @throws if there is a lock */
function make(path: string, name: string): void {
  removeEmpty(path);
  const draft = `${path}.${randomText()}`;
  mkdirSync(draft);
  try {
    closeSync(openSync(join(draft, name), 'wx', MODE));
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
}

/** Renewed first, so that an entry is never out of date after it was taken over. @throws ENOENT if another process was faster */
function takeOver(path: string, ended: string, name: string): void {
  touch(join(path, ended));
  renameSync(join(path, ended), join(path, name));
}

/** Writes a byte, so that the time of the entry is that of the volume, which all machines share. @throws ENOENT */
function touch(entry: string): void {
  const file = openSync(entry, 'r+');
  try {
    writeSync(file, '.', 0);
  } finally {
    closeSync(file);
  }
}

/** What a process has left that was killed while it gave the lock back. */
function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!LOST_RACE.includes(codeOf(error))) throw error;
  }
}

function findOwner(path: string): LockEntry | undefined {
  const names = namesIn(path);
  if (!names) return ownerInFile(path);
  const [name] = names;
  if (name === undefined) return undefined;
  const [, pid, started, , place, host] = ENTRY.exec(name) ?? [];
  // What is not an entry of ours belongs to nobody who can be asked.
  return { name, pid: Number(pid ?? 0), started: started ?? '0', place: place ?? '', host: host ?? 'another machine' };
}

function ownerInFile(path: string): LockEntry {
  const text = readText(path);
  const { pid, host, started } = readJson(text);
  return {
    name: PLAIN_FILE,
    pid: Number(pid ?? 0),
    started: typeof started === 'string' ? started : '',
    // One that was killed between two steps has left nothing in its file.
    place: pid === undefined && text !== '' ? STRANGER : '',
    host: typeof host === 'string' ? host : 'another program',
  };
}

/** Undefined for a file. */
function namesIn(folder: string): readonly string[] | undefined {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    if (codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

function isFileHeld(path: string, { pid, host, started, place }: LockEntry): boolean {
  if (place === STRANGER) return true;
  if (timeOf(path) - statSync(path).mtimeMs < STALE_FILE) return true;
  return host === hostname() && isAlive(pid) && (started === '' || (startOf(pid) ?? started) === started);
}

function isHeld(path: string, entry: LockEntry): boolean {
  const { name, pid, started, place } = entry;
  if (name === PLAIN_FILE) return isFileHeld(path, entry);
  const isHere = place === placeOfThis();
  if (isHere && !isAlive(pid)) return false;
  const now = isHere ? startOf(pid) : undefined;
  if (now !== undefined) return now === started;
  // A renewal that is far in the future is one from before the clock of the volume was set back.
  return Math.abs(timeOf(path) - renewalOf(join(path, name))) < STALE;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** When an entry was renewed. It is opened, because a volume of the network may answer from its memory otherwise. @throws ENOENT */
function renewalOf(entry: string): number {
  const file = openSync(entry, 'r');
  try {
    return fstatSync(file).mtimeMs;
  } finally {
    closeSync(file);
  }
}

/** The time of the volume: that of a new file on it. */
function timeOf(path: string): number {
  const probe = `${path}.${randomText()}`;
  mkdirSync(probe);
  try {
    return statSync(probe).mtimeMs;
  } finally {
    rmdirSync(probe);
  }
}

/** The name of an entry of this process. No two are equal. */
function nameOfThis(): string {
  const { pid } = process;
  const host = hostname().replace(/[^\w.-]/g, '-');
  return `${pid}.${startOf(pid) ?? '0'}.${randomText()}.${placeOfThis()}.${host.slice(0, 100)}`;
}

/** Containers may have one host name and other processes, as may machines: Linux tells them apart. */
function placeOfThis(): string {
  const boot = readText('/proc/sys/kernel/random/boot_id');
  const processes = statSync('/proc/self/ns/pid', { throwIfNoEntry: false })?.ino;
  const digest = createHash('sha256').update(JSON.stringify([hostname(), boot, processes]));
  return digest.digest('hex').slice(0, 16);
}

/** Tells apart processes that had the same number one after the other. Undefined where the system does not tell; empty for one that has ended. */
function startOf(pid: number): string | undefined {
  const fields = readText(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ');
  // In a container, one that has ended may stay for long, because nobody has asked how.
  return ENDED.includes(fields?.[STATE_FIELD] ?? '') ? '' : fields?.[START_FIELD];
}

function randomText(): string {
  return randomBytes(9).toString('base64url');
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

/** Without members if it is no object. */
function readJson(text: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(text) ?? {}) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

/** Empty if it cannot be read. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
