/** The lock of a file: two processes that write to it would tear the records of each other. */
import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { isObject } from '@sigil-mcp/core/adapter';
import { auditError } from '../../errors';

/** A process, as a lock names it. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  /** When it started, as its system counts; undefined where the system does not tell. */
  readonly started: string | undefined;
}

/** Milliseconds after which a lock of another machine is out of date, if it was not renewed. */
const STALE = 30_000;
const MODE = 0o600;
/** The place of the start in the fields after the name of the program. */
const START_FIELD = 19;

/** Holds a lock until it is released; a lock of a process that has ended is taken over. */
export class FileLock {
  readonly #path: string;
  readonly #text: string;

  /** @throws SigilError `SIGIL_AUDIT_LOCKED` */
  constructor(private readonly file: string) {
    this.#path = `${file}.lock`;
    this.#text = JSON.stringify({ pid: process.pid, host: hostname(), started: startOf(process.pid) } satisfies Holder);
    if (this.#isMade()) return;
    this.#clear();
    if (!this.#isMade()) throw this.#refusal(readText(this.#path));
  }

  /**
   * Makes sure that the file still belongs to this process: one that slept, as on a laptop that was closed, may have lost it to another one.
   * @param isAsItWas whether nobody else has written to it: then a lock that was only removed is made again
   * @throws SigilError `SIGIL_AUDIT_LOCKED` if another process has the file, or has had it
   */
  keep(isAsItWas: () => boolean): void {
    const text = readText(this.#path);
    if (text === this.#text) return;
    if (text !== '' || !isAsItWas() || !this.#isMade()) throw this.#refusal(text);
  }

  /** Tells other machines that this process is alive. */
  renew(): void {
    const now = new Date();
    utimesSync(this.#path, now, now);
  }

  release(): void {
    if (readText(this.#path) === this.#text) rmSync(this.#path, { force: true });
  }

  /** Makes the lock. Returns false if there is one. */
  #isMade(): boolean {
    try {
      const lock = openSync(this.#path, 'wx', MODE);
      writeSync(lock, this.#text);
      closeSync(lock);
      return true;
    } catch (error) {
      if (isObject(error) && error['code'] === 'EEXIST') return false;
      throw error;
    }
  }

  /** Removes a lock whose holder has ended. It is moved first, so that a lock that another process makes meanwhile is not removed. */
  #clear(): void {
    const text = readText(this.#path);
    if (isHeld(text, this.#path)) throw this.#refusal(text);
    const aside = `${this.#path}.${process.pid}`;
    renameSync(this.#path, aside);
    const isSame = readText(aside) === text;
    if (isSame) rmSync(aside, { force: true });
    else renameSync(aside, this.#path);
  }

  #refusal(text: string): Error {
    const holder = readHolder(text);
    const words = holder ? `process ${holder.pid} of ${holder.host}` : 'another process';
    return auditError('SIGIL_AUDIT_LOCKED', { path: this.file, holder: words });
  }
}

function isHeld(text: string, path: string): boolean {
  const holder = readHolder(text);
  // It may be written at this moment.
  if (!holder || holder.host !== hostname()) return Date.now() - statSync(path).mtimeMs < STALE;
  return isAlive(holder.pid) && startOf(holder.pid) === holder.started;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isObject(error) && error['code'] === 'EPERM';
  }
}

/** Tells apart processes that had the same number one after the other, as in containers. */
function startOf(pid: number): string | undefined {
  const fields = readText(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ');
  return fields?.[START_FIELD];
}

function readHolder(text: string): Holder | undefined {
  try {
    const read: unknown = JSON.parse(text);
    if (!isObject(read)) return undefined;
    const { pid, host, started } = read;
    if (typeof pid !== 'number' || typeof host !== 'string') return undefined;
    return { pid, host, started: typeof started === 'string' ? started : undefined };
  } catch {
    return undefined;
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
