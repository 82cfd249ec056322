/** Watches a program that needs no compiler: the files in and under its folder. */
import { dirname } from 'node:path';
import type { Clock } from '@sigil-mcp/core/adapter';
import { watchFolder } from '../project/watch-folder';
import type { SourceEvents, SourceWatch } from './source-watch';

/**
 * Reports a program that can be started, and each change once the files are at rest.
 * @param clock measures the rest; the system clock if left out
 */
export function watchFiles(program: string, events: SourceEvents, clock?: Clock): SourceWatch {
  const built = (): void => events.built(program);
  const watch = watchFolder(
    dirname(program),
    {
      ready: built,
      changed: () => events.changed(),
      settled: built,
      missing: (problem) => events.missing(problem),
    },
    clock && { clock },
  );
  events.changed();
  return watch;
}
