/** A file of settings on disk: read through links, changed under a lock, with a copy, and as a whole. */
import { existsSync, lstatSync, mkdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { FileLock, type LockOwner } from '@sigil-mcp/audit/file-lock';
import { codeOf, ownFiles, reasonOf } from '@sigil-mcp/cli/kit';
import { failure } from './errors';

/** Milliseconds between two attempts to get the lock, and the number of attempts: more time than a lock stays of a sigil that was killed elsewhere. */
const PACE = 50;
const ATTEMPTS = 240;
const OWNER_WRITES = 0o200;
const OWNER = 0o700;
const ALL = 0o7777;
const MARK = '\uFEFF';
const NO_FILE = 'it is not a file';

/** The text of a file. */
export interface FileText {
  /** Without a byte order mark; empty if the file does not exist. */
  readonly text: string;
  /** The byte order mark, if the file has one. */
  readonly mark: string;
  readonly exists: boolean;
}

/** A finished change. */
export interface FileCopy {
  /** The copy of the file as it was; undefined for a new file. */
  readonly copy: string | undefined;
}

/**
 * Reads a file of settings.
 * @param within the folder of a project that the file belongs to: no link leads out of it; anywhere if left out
 * @throws CliFailure if it cannot be read, or is not UTF-8
 */
export function readSettingsFile(path: string, within?: string): FileText {
  if (within !== undefined) ownFiles.checkInside(path, within);
  const real = resolveLinks(path);
  if (!existsSync(real)) return { text: '', mark: '', exists: false };
  // Reading a pipe waits for ever, and no signal is heard meanwhile.
  if (!statSync(real).isFile()) throw failure('SIGIL_INSTALL_UNREADABLE', { file: path, reason: NO_FILE });
  try {
    const all = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(real));
    const mark = all.startsWith(MARK) ? MARK : '';
    return { text: all.slice(mark.length), mark, exists: true };
  } catch (error) {
    throw failure('SIGIL_INSTALL_UNREADABLE', { file: path, reason: reasonOf(error) });
  }
}

/** How a file is changed. */
export interface SettingsChange {
  /** From the newest text to the new one; it runs again if the file has changed since it was shown. */
  readonly edit: (text: string) => string;
  /** The folder of a project that the file belongs to: no link leads out of it; anywhere if left out. */
  readonly within?: string | undefined;
  /** Whether the file has a secret from now on: it is for its user alone then, as its copy is; false if left out. */
  readonly isSecret?: boolean;
  readonly signal: AbortSignal;
}

/**
 * Changes a file: waits for other changes by sigil, reads it again, keeps a copy, and replaces it as a whole. A file behind a link is changed
 * there; a link at the place of the copy is replaced.
 * @throws CliFailure if the file cannot be written; it is unchanged then
 */
export async function changeSettingsFile(
  path: string,
  { edit, within, isSecret = false, signal }: SettingsChange,
): Promise<FileCopy> {
  if (within !== undefined) ownFiles.checkInside(path, within);
  const real = resolveLinks(path);
  checkWritable(real);
  const lock = await waitForLock(real, signal);
  try {
    const { text, mark, exists } = readSettingsFile(real);
    const edited = edit(text);
    if (edited === text) return { copy: undefined };
    const copy = exists ? `${real}.sigil-backup` : undefined;
    const before = exists ? statSync(real).mode : ownFiles.PRIVATE;
    const mode = before & (isSecret ? OWNER : ALL);
    const copies = copy === undefined ? [] : [{ path: copy, contents: readFileSync(real), mode }];
    const place = { within: dirname(real), isDurable: true };
    ownFiles.write([...copies, { path: real, contents: mark + edited, mode }], place);
    return { copy };
  } catch (error) {
    throw codeOf(error)?.startsWith('E') === true ? unwritable(real, error) : error;
  } finally {
    lock.release();
  }
}

/** The file behind links, so that a link stays one. */
function resolveLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    if (isLink(path))
      throw failure('SIGIL_INSTALL_UNREADABLE', { file: path, reason: 'it is a link to a file that does not exist' });
    return path;
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

/** A file that its owner may not write is not replaced either, although a folder would permit it. */
function checkWritable(path: string): void {
  if (!existsSync(path)) return;
  const stat = statSync(path);
  if (!stat.isFile()) throw failure('SIGIL_INSTALL_UNWRITABLE', { file: path, reason: NO_FILE });
  if ((stat.mode & OWNER_WRITES) === 0)
    throw failure('SIGIL_INSTALL_UNWRITABLE', { file: path, reason: 'it is read-only' });
}

/** Waits until no other sigil changes the file. */
async function waitForLock(path: string, signal: AbortSignal): Promise<FileLock> {
  for (let attempt = 0; ; attempt++) {
    const lock = takeLock(path);
    if ('release' in lock) return lock;
    if (attempt === ATTEMPTS) throw failure('SIGIL_INSTALL_LOCKED', { file: path, ...lock });
    await delay(PACE, undefined, { signal });
  }
}

function takeLock(path: string): FileLock | LockOwner {
  try {
    mkdirSync(dirname(path), { recursive: true });
    return FileLock.take(join(dirname(path), `.${basename(path)}.sigil-lock`));
  } catch (error) {
    throw unwritable(path, error);
  }
}

function unwritable(file: string, error: unknown): Error {
  return failure('SIGIL_INSTALL_UNWRITABLE', { file, reason: reasonOf(error) });
}
