/** Watches a program that needs no compiler: the files in and under its folder. */
import { readFileSync, readdirSync, type Dirent } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Clock } from '@sigil-mcp/core/adapter';
import { isIgnored, watchFolder } from '../project/watch-folder';
import type { SourceEvents, SourceWatch } from './source-watch';
import { NamedFilesWatch, type SourceText } from './watch-named-files';

/**
 * Reports a program that can be started, and each change once the files are at rest.
 * @param clock measures the rest; the system clock if left out
 */
export function watchFiles(program: string, events: SourceEvents, clock?: Clock): SourceWatch {
  const folder = dirname(program);
  const named = new NamedFilesWatch(folder, events, () => built(), clock);
  const built = (): void => {
    named.follow(modulesIn(folder));
    events.built(program);
  };
  const watch = watchFolder(
    folder,
    {
      ready: built,
      changed: () => events.changed(),
      settled: built,
      missing: (problem) => events.missing(problem),
    },
    clock && { clock },
  );
  events.changed();
  return {
    again: built,
    close: async () => {
      await Promise.all([watch.close(), named.close()]);
    },
  };
}

/** The modules in and under a folder, without those that nobody writes there. What is removed meanwhile is left out. */
function modulesIn(folder: string): SourceText[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return isIgnored(entry.name) ? [] : modulesIn(path);
    return entry.isFile() && /\.[cm]?js$/.test(entry.name) ? moduleAt(path) : [];
  });
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function moduleAt(fileName: string): SourceText[] {
  try {
    return [{ fileName, text: readFileSync(fileName, 'utf8') }];
  } catch {
    return [];
  }
}
