/** Files next to the sources, such as skills and views: a server reads them when it starts, and the compiler does not look at them. */
import type { Stats } from 'node:fs';
import { watchFolder } from '../project/watch-folder';
import type { SourceEvents, SourceWatch } from './source-watch';

/** Watches the files in and under a folder that the compiler does not read. @param settled called after each change, once they are at rest */
export function watchBesideFiles(
  folder: string,
  events: Pick<SourceEvents, 'changed' | 'missing'>,
  settled: () => void,
): SourceWatch {
  const forwarded = {
    ready: () => undefined,
    changed: () => events.changed(),
    settled,
    missing: (problem: string) => events.missing(problem),
  };
  return watchFolder(folder, forwarded, { ignores: (parts, stats) => isLeftOut(parts.at(-1) ?? '', stats) });
}

/** Hidden files, and those of the compiler. */
function isLeftOut(name: string, stats: Stats | undefined): boolean {
  return (name.startsWith('.') && name.length > 1) || (stats?.isFile() === true && /\.[cm]?[jt]sx?$/.test(name));
}
