/** A file as a sink, with rotation. */
import { closeSync, existsSync, openSync, renameSync, writeFileSync } from 'node:fs';
import type { Timer } from '@sigil-mcp/core/adapter';
import { isObject, oneOf, OPTION_RULES, requireOptions, type OptionRule } from '@sigil-mcp/core/internal';
import { MARK_SUFFIX, placeOf, type ChainHead } from '../../chain/chain';
import { checkNumber } from '../../check-number';
import { auditError } from '../../errors';
import { FileLock, RENEWAL, type LockOwner } from '../../lock/file-lock';
import type { AuditSink, OpenedSink, SinkOpening } from '../audit-sink';
import {
  holdsRecords,
  lastPlace,
  nextRotated,
  RecordFile,
  removeOldest,
  repairEnd,
  rotatedFiles,
  writeBytes,
  type WriteBytes,
} from './record-file';

// The options of `fileSink`.

/** Where records are appended, and how files are rotated. */
export interface FileSinkOptions {
  /**
   * The path of the file. Its folder exists. Each process has a file of its own: `{slot}` is replaced by the lowest number, from 1 on, whose
   * file no other process has. The process continues the chain of that file.
   */
  readonly path: string;
  /** Bytes after which a file is rotated; 64 MiB if left out. */
  readonly maxBytes?: number;
  /** Whether a file is rotated when a day of UTC is over, too; true if left out. */
  readonly daily?: boolean;
  /** Rotated files that stay; 30 if left out, `Infinity` for all. */
  readonly keep?: number;
  /** Permissions of new files; `0o600` if left out. */
  readonly mode?: number;
  /**
   * Whether the records of one turn of the event loop are written together, which is faster; false if left out: each record is in the file
   * before its request is answered.
   */
  readonly batch?: boolean;
  /**
   * When the disk is asked to keep what was written: `second` (at most one second later), `each` (with each write),
   * `never` (when the system wants). `second` if left out. Only a crash of the whole machine loses what the disk does not have.
   */
  readonly fsync?: 'second' | 'each' | 'never';
}

const MAX_BYTES = 64 * 1024 * 1024;
const KEEP = 30;
const MODE = 0o600;

/** What each option may be; those that are undefined are checked where they are read, which says more about them. */
const OPTIONS: Readonly<Record<keyof FileSinkOptions, OptionRule | undefined>> = {
  path: OPTION_RULES.text,
  maxBytes: undefined,
  daily: OPTION_RULES.flag,
  keep: undefined,
  mode: { wanted: 'permissions, such as 0o600', fits: (value) => Number.isInteger(value) && Number(value) >= 0 },
  batch: OPTION_RULES.flag,
  fsync: oneOf('second', 'each', 'never'),
};

/** @throws DefinitionError for options that do not exist or are of the wrong kind, SigilError for what is no number */
function readFileOptions(options: FileSinkOptions): Required<FileSinkOptions> {
  requireOptions('fileSink', options, OPTIONS);
  const { path, daily = true, mode = MODE, batch = false, fsync = 'second' } = options;
  const maxBytes = checkNumber('fileSink({ maxBytes })', options.maxBytes ?? MAX_BYTES);
  const keep = checkNumber('fileSink({ keep })', options.keep ?? KEEP, 0);
  return { path, daily, mode, batch, fsync, maxBytes, keep };
}

const DAY = 86_400_000;
const SECOND = 1000;
/** The placeholder of a number in a path, and the highest number. */
const SLOT = '{slot}';
const SLOTS = 1000;

/**
 * Appends records to a file, which is rotated by size and by day, and which no other process uses at the same time.
 * @throws SigilError for options that cannot be used
 * @example audit({ sink: fileSink({ path: '/var/log/bank/audit.log', maxBytes: 10_000_000, keep: 100 }), secret })
 */
export function fileSink(options: FileSinkOptions): AuditSink {
  return new FileSink(options);
}

/** Open while servers run. */
export class FileSink implements AuditSink {
  readonly kind = 'file';
  readonly isImmediate: boolean;
  readonly #options: Required<FileSinkOptions>;
  /** Of the file; with the number of its slot once it is open. */
  #path: string;
  #opening: SinkOpening | undefined;
  #lock: FileLock | undefined;
  #file: RecordFile | undefined;
  #timer: Timer | undefined;
  #ticks = 0;
  #day = 0;
  /** The hash of the newest record, once it differs from that of the mark. */
  #unmarked: string | undefined;

  constructor(
    options: FileSinkOptions,
    private readonly writer: WriteBytes = writeBytes,
  ) {
    this.#options = readFileOptions(options);
    this.#path = this.#options.path;
    this.isImmediate = !this.#options.batch;
  }

  open(opening: SinkOpening): OpenedSink {
    // Of a sink that is open already, nothing may be released.
    if (this.#lock) throw this.#refusal(this.#lock.owner);
    const lock = this.#explained(() => this.#takeFile());
    try {
      this.#lock = lock;
      return this.#explained(() => this.#begin(opening));
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  write(lines: readonly string[]): void {
    const bytes = Buffer.from(`${lines.join('\n')}\n`);
    this.#keepLock();
    const file = this.#fileFor(bytes.length);
    file.append(bytes, this.#options.fsync === 'each');
    this.#unmarked = lines.at(-1);
  }

  close(): void {
    try {
      if (this.#options.fsync !== 'never') this.#file?.syncNow();
      this.#saveMark();
    } finally {
      this.#release();
    }
  }

  #begin(opening: SinkOpening): OpenedSink {
    this.#file = this.#openFile();
    this.#opening = opening;
    const opened = this.#examine(this.#file);
    this.#timer = opening.clock.every(SECOND, () => this.#tick()).unref();
    return opened;
  }

  /** Errors of the system become errors of the catalogue. */
  #explained<T>(step: () => T): T {
    try {
      return step();
    } catch (error) {
      if (!isObject(error) || !('syscall' in error)) throw error;
      const path = this.#path;
      throw auditError('SIGIL_AUDIT_FILE', { path, reason: String(error['message']) }, { cause: error });
    }
  }

  #openFile(): RecordFile {
    return new RecordFile(this.#path, this.#options.mode, this.writer);
  }

  /** Finds where the chain goes on, after a repair of what a crash has left. */
  #examine(file: RecordFile): OpenedSink {
    const path = this.#path;
    if (!holdsRecords(file.descriptor)) throw auditError('SIGIL_AUDIT_FOREIGN', { path });
    this.#day = dayOf(file.changed);
    const torn = repairEnd(file.descriptor);
    file.measure();
    const fields = { path, bytes: torn };
    if (torn > 0) this.#opening?.logger.warn(fields, 'The last audit record was cut off by a crash, and was removed');
    const head = lastPlace(file.descriptor) ?? this.#headOfRotated();
    return { head, ...(torn > 0 && { torn }) };
  }

  #headOfRotated(): ChainHead | undefined {
    const newest = this.#file?.size === 0 ? rotatedFiles(this.#path).at(-1) : undefined;
    if (newest === undefined) return undefined;
    const rotated = openSync(newest, 'r');
    try {
      return lastPlace(rotated);
    } finally {
      closeSync(rotated);
    }
  }

  /** The file that has room for some bytes. */
  #fileFor(bytes: number): RecordFile {
    const file = this.#file ?? (this.#file = this.#openFile());
    const { maxBytes, daily } = this.#options;
    const day = dayOf(this.#opening?.clock.now() ?? 0);
    const isOver = file.size + bytes > maxBytes || (daily && day > this.#day);
    this.#day = day;
    return file.size > 0 && isOver ? this.#rotate(file) : file;
  }

  #rotate(full: RecordFile): RecordFile {
    const { keep, fsync } = this.#options;
    const path = this.#path;
    if (fsync !== 'never') full.syncNow();
    // After a failure between the two steps, the file has its new name already.
    if (existsSync(path)) renameSync(path, nextRotated(path));
    this.#file = this.#openFile();
    full.close();
    for (const removed of removeOldest(path, keep))
      this.#opening?.logger.info({ path: removed }, 'The oldest audit file was removed');
    return this.#file;
  }

  #tick(): void {
    try {
      if (this.#options.fsync === 'second') this.#file?.sync((error) => this.#report(error));
      this.#saveMark();
      this.#ticks += 1;
      if ((this.#ticks * SECOND) % RENEWAL === 0) this.#renew();
    } catch (error) {
      this.#report(error);
    }
  }

  /** Renews the lock, and begins a new file if another program has removed or renamed this one. */
  #renew(): void {
    const path = this.#path;
    this.#keepLock();
    this.#lock?.renew();
    if (existsSync(path)) return;
    this.#opening?.logger.error({ path }, 'The audit file was removed or renamed by another program, and begins again');
    const removed = this.#file;
    this.#file = this.#openFile();
    removed?.close();
  }

  /** Takes the file, or the first one of its slots that is free. @throws SigilError `SIGIL_AUDIT_LOCKED` if all are in use */
  #takeFile(): FileLock {
    const { path } = this.#options;
    const slots = path.includes(SLOT) ? SLOTS : 1;
    for (let slot = 1; slot < slots; slot += 1) {
      this.#path = path.replaceAll(SLOT, `${slot}`);
      const taken = this.#takeLock();
      if (taken instanceof FileLock) return taken;
    }
    this.#path = path.replaceAll(SLOT, `${slots}`);
    return this.#lockOrRefusal();
  }

  #takeLock(): FileLock | LockOwner {
    return FileLock.take(`${this.#path}.lock`);
  }

  /** @throws SigilError `SIGIL_AUDIT_LOCKED` if another process has the file */
  #lockOrRefusal(): FileLock {
    const taken = this.#takeLock();
    if (taken instanceof FileLock) return taken;
    throw this.#refusal(taken);
  }

  /**
   * Before anything is written, renamed or renewed. A lock that was only removed is taken again.
   * @throws SigilError `SIGIL_AUDIT_LOCKED` if another process has the file, or has had it
   */
  #keepLock(): void {
    if (this.#lock?.isOurs !== false) return;
    const { owner } = this.#lock;
    if (owner || this.#file?.isForeign === true) throw this.#refusal(owner);
    this.#lock = this.#lockOrRefusal();
  }

  #refusal(owner: LockOwner | undefined): Error {
    const holder = owner ? `process ${owner.pid} of ${owner.host}` : 'another process';
    return auditError('SIGIL_AUDIT_LOCKED', { path: this.#path, holder, slot: SLOT });
  }

  #report(err: unknown): void {
    this.#opening?.logger.error({ err, path: this.#path }, 'The audit file cannot be kept safe');
  }

  /** Replaces the mark next to the file. */
  #saveMark(): void {
    const line = this.#unmarked;
    const mark = this.#opening?.mark;
    const place = line === undefined ? undefined : placeOf(Buffer.from(line));
    if (mark && place) {
      // The mark of another process stays; this one has none to write any more.
      this.#unmarked = undefined;
      this.#keepLock();
      this.#unmarked = line;
      const target = `${this.#path}${MARK_SUFFIX}`;
      writeFileSync(`${target}.new`, mark(place.hash), { mode: this.#options.mode });
      renameSync(`${target}.new`, target);
    }
    this.#unmarked = undefined;
  }

  #release(): void {
    this.#timer?.close();
    this.#file?.close();
    this.#lock?.release();
    this.#timer = this.#file = this.#lock = this.#opening = undefined;
  }
}

function dayOf(time: number): number {
  return Math.floor(time / DAY);
}
