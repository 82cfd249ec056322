/**
 * A watch on a path and everything below it, which loses no save: not in place, not by rename, not of a folder that replaces another
 * one. Folders are watched, not files, because a watch on a file ends when another file takes its place.
 */
import { lstatSync, readdirSync, watch, type FSWatcher } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { codeOf } from '../failure';

/** What is asked, and told. */
export interface PathEvents {
  /** Whether the changes of a path do not count, nor of what is below it. @param isFile or anything else but a folder; also if it is gone */
  ignores(path: string, isFile: boolean): boolean;
  /** There is another file at a path, or none any more. */
  changed(path: string): void;
  /** Some changes will be missed. */
  failed(error: unknown): void;
}

/** One watch for a whole tree is as good as one for each folder where the system has such watches. */
const HAS_TREES = process.platform === 'darwin' || process.platform === 'win32';

interface WatchedFolder {
  /** Undefined if the watch of a tree includes it. */
  readonly watcher: FSWatcher | undefined;
  /** Another folder of the same name has another one. */
  readonly ino: bigint;
  names: ReadonlySet<string>;
}

/** Watches until it is closed. What does not exist yet is watched when it comes, if its folder exists. */
export class WatchedPath {
  readonly #folders = new Map<string, WatchedFolder>();
  readonly #above: FSWatcher | undefined;
  #isClosed = false;

  constructor(
    private readonly path: string,
    private readonly events: PathEvents,
  ) {
    this.#above = this.#watch(dirname(path), false, (name) => {
      if (name === null || join(dirname(path), name) === path) this.#look(path, true);
    });
    this.#look(path, false);
  }

  close(): void {
    this.#isClosed = true;
    this.#above?.close();
    for (const { watcher } of this.#folders.values()) watcher?.close();
    this.#folders.clear();
  }

  /** Looks at what is at a path. @param isNews or else it was there before */
  #look(path: string, isNews: boolean): void {
    if (this.#isClosed) return;
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    const isFolder = stats?.isDirectory() === true;
    const known = this.#folders.get(path);
    if (known && known.ino !== stats?.ino) this.#forget(path);
    if (this.events.ignores(path, !isFolder && !known)) return;
    if (!isFolder) return isNews ? this.events.changed(path) : undefined;
    // A folder that is watched reports its changes itself.
    if (known?.ino !== stats.ino) this.#enter(path, stats.ino, isNews);
  }

  /** Watches a folder, then looks at what is in it: nothing comes between. */
  #enter(path: string, ino: bigint, isNews: boolean): void {
    const isTold = HAS_TREES && path !== this.path;
    const watcher = isTold ? undefined : this.#watch(path, HAS_TREES, (name) => this.#hear(path, name));
    if (!watcher && !isTold) return;
    const names = namesIn(path);
    this.#folders.set(path, { watcher, ino, names });
    for (const name of names) this.#look(join(path, name), isNews);
  }

  /** @param name the path in the folder; null if the system does not say it */
  #hear(path: string, name: string | null): void {
    const full = join(path, name ?? '.');
    const place = name === null ? path : dirname(full);
    const folder = this.#folders.get(place);
    if (!folder) return;
    const before = folder.names;
    folder.names = namesIn(place);
    const all = new Set([...before, ...folder.names]);
    // What has come and gone is no change.
    const changed = name === null ? all : [basename(full)].filter((each) => all.has(each));
    for (const each of changed) this.#look(join(place, each), true);
  }

  /** Forgets a folder that is gone, and all below it. */
  #forget(path: string): void {
    const folder = this.#folders.get(path);
    if (!folder) return;
    this.#folders.delete(path);
    folder.watcher?.close();
    for (const name of folder.names) this.#look(join(path, name), true);
  }

  #watch(path: string, isTree: boolean, hear: (name: string | null) => void): FSWatcher | undefined {
    try {
      const watcher = watch(path, { recursive: isTree, persistent: true }, (_event, name) => hear(name));
      // A folder that is removed on Windows.
      return watcher.on('error', (error) => codeOf(error) !== 'EPERM' && this.events.failed(error));
    } catch (error) {
      // It has gone meanwhile.
      if (codeOf(error) !== 'ENOENT') this.events.failed(error);
      return undefined;
    }
  }
}

function namesIn(folder: string): ReadonlySet<string> {
  try {
    return new Set(readdirSync(folder));
  } catch {
    return new Set();
  }
}
