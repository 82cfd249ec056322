/** Compiled from packages/audit/src/lock/file-lock.ts by `npm run lock`. */
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
export const RENEWAL = 2000;
const STALE = 10_000;
const MODE = 0o600;
const PLAIN_FILE = '';
const STRANGER = 'stranger';
const STALE_FILE = 60_000;
const STATE_FIELD = 0;
const START_FIELD = 19;
const ENDED = ['Z', 'X'];
const ENTRY = /^(\d+)\.(\w+)\.([\w-]+)\.([\da-f]+)\.(.*)$/;
const LOST_RACE = ['ENOENT', 'ENOTEMPTY', 'EEXIST', 'EPERM', 'EACCES', 'EBUSY', 'EISDIR', 'ENOTDIR'];
const ATTEMPTS = 100;
export class FileLock {
  folder;
  #entry;
  constructor(folder, name) {
    this.folder = folder;
    this.#entry = join(folder, name);
  }
  static take(path) {
    const name = nameOfThis();
    for (let attempt = 0; ; attempt += 1) {
      try {
        const owner = findOwner(path);
        if (owner && isHeld(path, owner)) return owner;
        if (owner?.name === PLAIN_FILE) unlinkSync(path);
        if (owner && owner.name !== PLAIN_FILE) takeOver(path, owner.name, name);
        else make(path, name);
        return new FileLock(path, name);
      } catch (error) {
        if (attempt === ATTEMPTS || !LOST_RACE.includes(codeOf(error))) throw error;
      }
    }
  }
  get owner() {
    return findOwner(this.folder);
  }
  get isOurs() {
    return existsSync(this.#entry);
  }
  renew() {
    try {
      touch(this.#entry);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error;
    }
  }
  release() {
    rmSync(this.#entry, { force: true });
    removeEmpty(this.folder);
  }
}
function make(path, name) {
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
function takeOver(path, ended, name) {
  touch(join(path, ended));
  renameSync(join(path, ended), join(path, name));
}
function touch(entry) {
  const file = openSync(entry, 'r+');
  try {
    writeSync(file, '.', 0);
  } finally {
    closeSync(file);
  }
}
function removeEmpty(folder) {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!LOST_RACE.includes(codeOf(error))) throw error;
  }
}
function findOwner(path) {
  const names = namesIn(path);
  if (!names) return ownerInFile(path);
  const [name] = names;
  if (name === undefined) return undefined;
  const [, pid, started, , place, host] = ENTRY.exec(name) ?? [];
  return { name, pid: Number(pid ?? 0), started: started ?? '0', place: place ?? '', host: host ?? 'another machine' };
}
function ownerInFile(path) {
  const text = readText(path);
  const { pid, host, started } = readJson(text);
  return {
    name: PLAIN_FILE,
    pid: Number(pid ?? 0),
    started: typeof started === 'string' ? started : '',
    place: pid === undefined && text !== '' ? STRANGER : '',
    host: typeof host === 'string' ? host : 'another program',
  };
}
function namesIn(folder) {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    if (codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}
function isFileHeld(path, { pid, host, started, place }) {
  if (place === STRANGER) return true;
  if (timeOf(path) - statSync(path).mtimeMs < STALE_FILE) return true;
  return host === hostname() && isAlive(pid) && (started === '' || (startOf(pid) ?? started) === started);
}
function isHeld(path, entry) {
  const { name, pid, started, place } = entry;
  if (name === PLAIN_FILE) return isFileHeld(path, entry);
  const isHere = place === placeOfThis();
  if (isHere && !isAlive(pid)) return false;
  const now = isHere ? startOf(pid) : undefined;
  if (now !== undefined) return now === started;
  return Math.abs(timeOf(path) - renewalOf(join(path, name))) < STALE;
}
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
function renewalOf(entry) {
  const file = openSync(entry, 'r');
  try {
    return fstatSync(file).mtimeMs;
  } finally {
    closeSync(file);
  }
}
function timeOf(path) {
  const probe = `${path}.${randomText()}`;
  mkdirSync(probe);
  try {
    return statSync(probe).mtimeMs;
  } finally {
    rmdirSync(probe);
  }
}
function nameOfThis() {
  const { pid } = process;
  const host = hostname().replace(/[^\w.-]/g, '-');
  return `${pid}.${startOf(pid) ?? '0'}.${randomText()}.${placeOfThis()}.${host.slice(0, 100)}`;
}
function placeOfThis() {
  const boot = readText('/proc/sys/kernel/random/boot_id');
  const processes = statSync('/proc/self/ns/pid', { throwIfNoEntry: false })?.ino;
  const digest = createHash('sha256').update(JSON.stringify([hostname(), boot, processes]));
  return digest.digest('hex').slice(0, 16);
}
function startOf(pid) {
  const fields = readText(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ');
  return ENDED.includes(fields?.[STATE_FIELD] ?? '') ? '' : fields?.[START_FIELD];
}
function randomText() {
  return randomBytes(9).toString('base64url');
}
function codeOf(error) {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
function readJson(text) {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}
function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
