/** Watches the files in and under a folder, and reports a change when the files are at rest. */
import { relative, sep } from 'node:path';
import { systemClock, type Clock, type Timer } from '@sigil-mcp/base';
import { codeOf, reasonOf } from '../failure';
import { WatchedPath } from './watched-path';

/** Milliseconds without an event after which a change counts as complete: editors write a file in several steps. */
const SETTLED = 100;
/** Folders with installed, built or git files: nobody writes sources there, and each folder costs a watch. */
const IGNORED = new Set(['node_modules', 'dist', '.git']);

/** Folders with the results of other commands. */
const RESULTS = new Set(['coverage', '.sigil']);

/** Whether other commands write into a folder of this name. */
export function isOfCommands(name: string): boolean {
  return RESULTS.has(name);
}

/** Whether a folder of this name is not watched. */
export function isIgnored(name: string): boolean {
  return IGNORED.has(name);
}

/** Called in this order: `ready` once, then `changed` and `settled` for each change. */
export interface FolderEvents {
  /** Changes are noticed from now on. */
  ready(): void;
  /** A file or folder has changed; more may follow. */
  changed(): void;
  /** The files are at rest. @param paths of what has changed */
  settled(paths: ReadonlySet<string>): void;
  /** Some changes will be missed. @param problem the reason, and how to fix it, in one sentence */
  missing(problem: string): void;
}

/** How a folder is watched. */
export interface FolderOptions {
  /** Further files and folders whose changes do not count. @param parts of the path within the folder */
  readonly ignores?: (parts: readonly string[], isFile: boolean) => boolean;
  /** Measures the rest; the system clock if left out. */
  readonly clock?: Clock;
}

/** Watches until the result is closed. @param folder or a file; it may itself have the name of a folder that is ignored */
export function watchFolder(
  folder: string,
  events: FolderEvents,
  { ignores = () => false, clock = systemClock }: FolderOptions = {},
): { close(): Promise<void> } {
  let timer: Timer | undefined;
  let paths = new Set<string>();
  const settle = (): void => {
    const changed = paths;
    paths = new Set();
    timer = undefined;
    events.settled(changed);
  };
  const watched = new WatchedPath(folder, {
    ignores(path, isFile) {
      const parts = relative(folder, path).split(sep);
      return parts.some(isIgnored) || ignores(parts, isFile);
    },
    changed(path) {
      if (timer === undefined) events.changed();
      paths.add(path);
      timer?.close();
      timer = clock.after(SETTLED, settle);
    },
    failed: reportOnce(folder, events),
  });
  const ready = setImmediate(() => events.ready());
  return {
    close: () => {
      clearImmediate(ready);
      timer?.close();
      watched.close();
      return Promise.resolve();
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
