/** Watches a program that needs no compiler: the files in and under its folder. */
import { watch } from 'node:fs';
import { dirname, sep } from 'node:path';
import type { SourceEvents, SourceWatch } from './source-watch';

/** Editors write a file in several steps, milliseconds. */
const SETTLED = 100;
const IGNORED = new Set(['node_modules', '.git']);

/** Tells of a change, once the files have come to rest. */
export function watchFiles(program: string, events: SourceEvents): SourceWatch {
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch(dirname(program), { recursive: true }, (_event, file) => {
    if (file?.split(sep).some((part) => IGNORED.has(part))) return;
    if (timer === undefined) events.changed();
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = undefined;
      events.built(program);
    }, SETTLED);
  });
  setImmediate(() => {
    events.changed();
    events.built(program);
  });
  return {
    close: () => {
      clearTimeout(timer);
      watcher.close();
    },
  };
}
