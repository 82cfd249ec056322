/** Watches a program that needs no compiler: the files in and under its folder. */
import { dirname, relative, sep } from 'node:path';
import { systemClock, type Timer } from '@sigil-mcp/core/adapter';
import { watch } from 'chokidar';
import { codeOf, reasonOf } from '../failure';
import type { SourceEvents, SourceWatch } from './source-watch';

/** Milliseconds without an event after which a change counts as complete: editors write a file in several steps. */
const SETTLED = 100;
/** Folders with installed, built or git files: the program is not written there, and each folder costs a watch. */
const IGNORED = new Set(['node_modules', 'dist', '.git']);

/**
 * Reports a program that can be started, and each change once the files are at rest.
 * @param clock measures the rest; the system clock if left out
 */
export function watchFiles(program: string, events: SourceEvents, clock = systemClock): SourceWatch {
  const folder = dirname(program);
  let timer: Timer | undefined;
  const settle = (): void => {
    timer = undefined;
    events.built(program);
  };
  const watcher = watch(folder, {
    ignored: (path) => isIgnored(relative(folder, path)),
    ignoreInitial: true,
    followSymlinks: false,
  })
    .once('ready', settle)
    .on('all', () => {
      if (timer === undefined) events.changed();
      timer?.close();
      timer = clock.after(SETTLED, settle);
    })
    .on('error', tellOnce(folder, events));
  events.changed();
  return {
    close: () => {
      timer?.close();
      return watcher.close();
    },
  };
}

/** @param path within the watched folder, which may itself have one of these names */
function isIgnored(path: string): boolean {
  return path.split(sep).some((part) => IGNORED.has(part));
}

/** A listener that reports each problem once: if one file cannot be watched, hundreds cannot, for the same reason. */
function tellOnce(folder: string, events: SourceEvents): (error: unknown) => void {
  const told = new Set<string>();
  return (error) => {
    const problem = describeProblem(folder, error);
    if (!told.has(problem)) events.missing(problem);
    told.add(problem);
  };
}

function describeProblem(folder: string, error: unknown): string {
  const code = codeOf(error);
  if (code === 'ENOSPC' || code === 'EMFILE') {
    const limit = code === 'ENOSPC' ? 'fs.inotify.max_user_watches' : 'the limit of open files (ulimit -n)';
    return `Not every file in ${folder} can be watched (${code}); raise ${limit}, or move the program to a smaller folder.`;
  }
  return `Not every file in ${folder} can be watched (${reasonOf(error)}); fix that and restart sigil dev.`;
}
