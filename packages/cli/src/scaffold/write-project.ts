/** Files on disk, all or none: they are written beside the project and get their place at the end. */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { basename, dirname, join } from 'node:path';
import { CliFailure, codeOf, endedBySignal, failure, reasonOf } from '../failure';
import { statusOfSignal } from '../terminal/interruption';
import type { ProjectFile } from './template';

/** Files that may be there already: a new repository has them before it has anything. */
const HARMLESS = new Set(['.git', '.DS_Store']);

/** How many names are shown of a folder that is not empty. */
const SHOWN = 5;

/** @throws CliFailure if the folder has something in it, or is none */
export function checkIsFree(folder: string): void {
  const found = contentsOf(folder).filter((name) => !HARMLESS.has(name));
  if (found.length === 0) return;
  const more = found.length > SHOWN ? ` and ${found.length - SHOWN} more` : '';
  throw failure('SIGIL_NEW_NOT_EMPTY', { folder, found: `${found.slice(0, SHOWN).join(', ')}${more}` });
}

/** The failure with which Ctrl-C ends `sigil new` before anything is written. */
export function stopped(): CliFailure {
  return endedBySignal(statusOfSignal('SIGINT'), 'SIGIL_NEW_STOPPED');
}

function contentsOf(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return [];
    const reason = code === 'ENOTDIR' ? 'is a file' : `cannot be read (${code ?? reasonOf(error)})`;
    throw failure('SIGIL_NEW_NO_FOLDER', { folder, reason });
  }
}

/**
 * Writes a project. An error or Ctrl-C on the way leaves nothing behind.
 * @throws CliFailure if the folder is not free, or cannot be written
 */
export async function writeProject(folder: string, files: readonly ProjectFile[]): Promise<void> {
  checkIsFree(folder);
  const parent = dirname(folder);
  let made: string | undefined;
  let draft: string | undefined;
  const interrupted = new AbortController();
  const interrupt = (): void => interrupted.abort();
  process.once('SIGINT', interrupt);
  try {
    made = mkdirSync(parent, { recursive: true });
    // With the ordinary rights: a folder for temporary files would be closed to everyone else.
    draft = join(parent, `.${basename(folder)}-${randomUUID()}`);
    mkdirSync(draft);
    for (const { path, text } of files) {
      const file = join(draft, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      // A turn of the event loop, in which Ctrl-C is heard.
      await setImmediate();
      if (interrupted.signal.aborted) throw stopped();
    }
    checkIsFree(folder);
    moveInto(folder, draft);
  } catch (error) {
    if (draft !== undefined) rmSync(draft, { recursive: true, force: true });
    if (made !== undefined) removeEmpty(parent, made);
    throw error instanceof CliFailure ? error : unwritable(folder, error);
  } finally {
    process.off('SIGINT', interrupt);
  }
}

/** Moves the files to their folder, which stays the same one if it is there: it may be somebody's working directory. */
function moveInto(folder: string, draft: string): void {
  if (!existsSync(folder)) return renameSync(draft, folder);
  const moved: string[] = [];
  try {
    for (const name of readdirSync(draft)) {
      renameSync(join(draft, name), join(folder, name));
      moved.push(name);
    }
  } catch (error) {
    for (const name of moved) rmSync(join(folder, name), { recursive: true, force: true });
    throw error;
  }
  rmdirSync(draft);
}

/** Takes away what was made on the way to the parent, as far as nobody else put something there. */
function removeEmpty(last: string, first: string): void {
  for (let folder = last; folder.length >= first.length; folder = dirname(folder)) {
    try {
      rmdirSync(folder);
    } catch {
      return;
    }
  }
}

function unwritable(folder: string, error: unknown): CliFailure {
  return failure('SIGIL_NEW_UNWRITABLE', { folder, reason: codeOf(error) ?? reasonOf(error) });
}
