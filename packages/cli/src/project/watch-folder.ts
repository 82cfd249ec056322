/** Watches the files in and under a folder, and reports a change when the files are at rest. */
import type { Stats } from 'node:fs';
import { relative, sep } from 'node:path';
import { systemClock, type Clock, type Timer } from '@sigil-mcp/core/adapter';
import { watch } from 'chokidar';
import { codeOf, reasonOf } from '../failure';

/** Milliseconds without an event after which a change counts as complete: editors write a file in several steps. */
const SETTLED = 100;
/** Folders with installed, built or git files: nobody writes sources there, and each folder costs a watch. */
const IGNORED = new Set(['node_modules', 'dist', '.git']);

/** Whether a folder of this name is not watched. */
export function isIgnored(name: string): boolean {
  return IGNORED.has(name);
}

/** Called in this order: `ready` once, then `changed` and `settled` for each change. */
export interface FolderEvents {
  /** Changes are noticed from now on. */
  ready(): void;
  /** A file has changed; more may follow. */
  changed(): void;
  /** The files are at rest. */
  settled(): void;
  /** Some changes will be missed. @param problem the reason, and how to fix it, in one sentence */
  missing(problem: string): void;
}

/** How a folder is watched. */
export interface FolderOptions {
  /** Further files and folders whose changes do not count. @param parts of the path within the folder */
  readonly ignores?: (parts: readonly string[], stats: Stats | undefined) => boolean;
  /** Measures the rest; the system clock if left out. */
  readonly clock?: Clock;
}

/** Watches until the result is closed. @param folder may itself have the name of a folder that is ignored */
export function watchFolder(
  folder: string,
  events: FolderEvents,
  { ignores = () => false, clock = systemClock }: FolderOptions = {},
): { close(): Promise<void> } {
  let timer: Timer | undefined;
  const settle = (): void => {
    timer = undefined;
    events.settled();
  };
  const watcher = watch(folder, {
    ignored: (path, stats) => {
      const parts = relative(folder, path).split(sep);
      return parts.some(isIgnored) || ignores(parts, stats);
    },
    ignoreInitial: true,
    followSymlinks: false,
  })
    .once('ready', () => events.ready())
    .on('all', () => {
      if (timer === undefined) events.changed();
      timer?.close();
      timer = clock.after(SETTLED, settle);
    })
    .on('error', reportOnce(folder, events));
  return {
    close: () => {
      timer?.close();
      return watcher.close();
    },
  };
}

/** A listener that reports each problem once: if one file cannot be watched, hundreds cannot, for the same reason. */
function reportOnce(folder: string, events: FolderEvents): (error: unknown) => void {
  const reported = new Set<string>();
  return (error) => {
    const problem = describeProblem(folder, error);
    if (!reported.has(problem)) events.missing(problem);
    reported.add(problem);
  };
}

function describeProblem(folder: string, error: unknown): string {
  const code = codeOf(error);
  if (code === 'ENOSPC' || code === 'EMFILE') {
    const limit = code === 'ENOSPC' ? 'fs.inotify.max_user_watches' : 'the limit of open files (ulimit -n)';
    return `Not every file in ${folder} can be watched (${code}); raise ${limit}, or move the program to a smaller folder.`;
  }
  return `Not every file in ${folder} can be watched (${reasonOf(error)}); fix that and start the command again.`;
}
