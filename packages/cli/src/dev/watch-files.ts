/** Watches a program that needs no compiler: the files in and under its folder, and those elsewhere that its sources name. */
import { existsSync, readFileSync, readdirSync, type Dirent } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Clock } from '@sigil-mcp/base';
import { reasonOf } from '../failure';
import { findNamedFiles } from '../project/named-files';
import { isIgnored, watchFolder } from '../project/watch-folder';
import type { SourceEvents, SourceWatch } from './tap';

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

/** A module, as its author wrote it. */
interface SourceText {
  readonly fileName: string;
  readonly text: string;
}

/**
 * Watches what sources name outside of a folder that is watched anyway, such as `skills({ folders: ['../skills'] })`: a server reads it when
 * it starts.
 */
export class NamedFilesWatch {
  readonly #watches = new Map<string, { close(): Promise<void> }>();
  readonly #folder: string;
  readonly #events: Pick<SourceEvents, 'changed' | 'missing'>;
  readonly #settled: () => void;
  readonly #clock: Clock | undefined;

  /**
   * @param settled called after each change, once the files are at rest
   * @param clock measures the rest; the system clock if left out
   */
  constructor(folder: string, events: Pick<SourceEvents, 'changed' | 'missing'>, settled: () => void, clock?: Clock) {
    this.#folder = folder;
    this.#events = events;
    this.#settled = settled;
    this.#clock = clock;
  }

  /** Watches what these sources name, and further files, and nothing else any more. */
  follow(sources: Iterable<SourceText>, files: readonly string[] = []): void {
    const wanted = new Set([...[...sources].flatMap((source) => this.#pathsOf(source)), ...files]);
    for (const path of wanted) if (!this.#watches.has(path)) this.#watches.set(path, this.#watch(path));
    for (const [path, watch] of this.#watches)
      if (!wanted.has(path)) {
        this.#watches.delete(path);
        watch.close().catch((error: unknown) => this.#events.missing(`${path} is still watched: ${reasonOf(error)}.`));
      }
  }

  async close(): Promise<void> {
    const watches = [...this.#watches.values()];
    this.#watches.clear();
    await Promise.all(watches.map((watch) => watch.close()));
  }

  #pathsOf({ fileName, text }: SourceText): string[] {
    return findNamedFiles(text)
      .map(({ path }) => resolve(dirname(fileName), path))
      .filter((path) => relative(this.#folder, path).split(sep)[0] === '..' && existsSync(path));
  }

  #watch(path: string): { close(): Promise<void> } {
    const events = {
      ready: () => undefined,
      changed: () => this.#events.changed(),
      settled: this.#settled,
      missing: (problem: string) => this.#events.missing(problem),
    };
    return watchFolder(path, events, {
      ignores: (parts) => (parts.at(-1) ?? '').startsWith('.') && parts.at(-1) !== '..',
      ...(this.#clock && { clock: this.#clock }),
    });
  }
}
