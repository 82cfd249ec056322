/** Changes several files or none: writes temporary files next to them, and renames these at the end. */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { failure, reasonOf } from '../failure';

/** The whole new content of a file. */
export interface FileChange {
  readonly path: string;
  readonly text: string;
}

/** @throws CliFailure if a file cannot be written; all files are then unchanged */
export function writeChanges(changes: readonly FileChange[]): void {
  const drafts: string[] = [];
  const done: { path: string; before: string | undefined }[] = [];
  try {
    for (const { path, text } of changes) {
      mkdirSync(dirname(path), { recursive: true });
      const draft = join(dirname(path), `.${basename(path)}-${randomUUID()}`);
      drafts.push(draft);
      writeFileSync(draft, text, existsSync(path) ? { mode: statSync(path).mode } : {});
    }
    for (const [index, { path }] of changes.entries()) {
      const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
      renameSync(drafts[index] ?? '', path);
      done.push({ path, before });
    }
  } catch (error) {
    for (const draft of drafts) rmSync(draft, { force: true });
    for (const { path, before } of done) {
      if (before === undefined) rmSync(path, { force: true });
      else writeFileSync(path, before);
    }
    throw failure('SIGIL_ADD_UNWRITABLE', { reason: reasonOf(error) });
  }
}
