/** Writes all files of a project or none: to a temporary folder next to it, which is renamed at the end. */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { basename, dirname, join } from 'node:path';
import { CliFailure, codeOf, endedBySignal, failure, reasonOf } from '../failure';
import { writeNewFile } from '../new-file';
import { statusOfSignal } from '../terminal/interruption';
import type { ProjectFile } from '../files/template';
import type { Shell } from '../terminal/shell';

/** Files that may exist already, as in a new repository. */
const HARMLESS = new Set(['.git', '.DS_Store']);

/** The number of names that are shown of a folder that is not empty. */
const SHOWN = 5;

/** @throws CliFailure if the folder is not empty, or is not a folder */
export function checkIsFree(folder: string): void {
  const found = contentsOf(folder).filter((name) => !HARMLESS.has(name));
  if (found.length === 0) return;
  const more = found.length > SHOWN ? ` and ${found.length - SHOWN} more` : '';
  throw failure('SIGIL_NEW_NOT_EMPTY', { folder, found: `${found.slice(0, SHOWN).join(', ')}${more}` });
}

/** The failure if Ctrl-C ends `sigil new` before anything is written. */
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

/** Removes a project again, with the files that were added to it. */
export type RemoveProject = () => void;

/**
 * Writes a project. An error or Ctrl-C meanwhile leaves nothing behind.
 * @returns a function for failures of a later step
 * @throws CliFailure if the folder is not empty, or cannot be written
 */
export async function writeProject(
  shell: Shell,
  folder: string,
  files: readonly ProjectFile[],
): Promise<RemoveProject> {
  checkIsFree(folder);
  const existing = existsSync(folder) ? new Set(contentsOf(folder)) : undefined;
  const parent = dirname(folder);
  let made: string | undefined;
  let draft: string | undefined;
  const interrupted = new AbortController();
  const stopHearing = shell.hearSignals(() => interrupted.abort(), ['SIGINT']);
  try {
    made = mkdirSync(parent, { recursive: true });
    // With default permissions: a folder for temporary files would not be readable for other users.
    draft = join(parent, `.${basename(folder)}-${randomUUID()}`);
    mkdirSync(draft);
    for (const { path, text } of files) {
      writeNewFile(join(draft, path), text);
      // Yields to the event loop, so that Ctrl-C is noticed.
      await setImmediate();
      if (interrupted.signal.aborted) throw stopped();
    }
    checkIsFree(folder);
    moveInto(folder, draft);
    return () => {
      removeAdded(folder, existing);
      if (made !== undefined) removeEmpty(parent, made);
    };
  } catch (error) {
    if (draft !== undefined) rmSync(draft, { recursive: true, force: true });
    if (made !== undefined) removeEmpty(parent, made);
    throw error instanceof CliFailure ? error : unwritable(folder, error);
  } finally {
    stopHearing();
  }
}

/** Moves the files to their folder. An existing folder is kept, because it may be the working directory of a shell. */
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

/** Removes a folder, or only its new entries if it existed before. */
function removeAdded(folder: string, existing: ReadonlySet<string> | undefined): void {
  const added = existing === undefined ? [folder] : entriesBut(existing, folder);
  for (const path of added) rmSync(path, { recursive: true, force: true });
}

function entriesBut(existing: ReadonlySet<string>, folder: string): string[] {
  return contentsOf(folder).flatMap((name) => (existing.has(name) ? [] : join(folder, name)));
}

/** Removes the folders that were created on the way to the parent, if they are empty. */
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
