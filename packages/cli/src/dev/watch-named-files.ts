/** Files that sources name, and that lie elsewhere: `skills({ folders: ['../skills'] })`. A server reads them when it starts. */
import { existsSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { reasonOf } from '../failure';
import type { Clock } from '@sigil-mcp/core/adapter';
import { findNamedFiles } from '../project/named-files';
import { watchFolder } from '../project/watch-folder';
import type { SourceEvents } from './source-watch';

/** A module, as its author wrote it. */
export interface SourceText {
  readonly fileName: string;
  readonly text: string;
}

/** Watches what sources name outside of a folder that is watched anyway. */
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
