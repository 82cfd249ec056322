/** The changes of a project's sources, for a command that repeats its work after each of them. */
import { basename, relative, sep } from 'node:path';
import { watch, type FSWatcher } from 'chokidar';

/** Milliseconds without an event after which a change counts as complete: editors write a file in several steps. */
const SETTLED = 100;
/** Folders with installed, built or git files. */
const IGNORED = new Set(['node_modules', 'dist', 'coverage', '.git', '.sigil']);
/** Sources and settings; a server may write other files while it works. */
const SOURCE = /\.[cm]?[jt]sx?$|^(?:package|tsconfig.*)\.json$|^\.env/;

/** A watch on the sources in a folder. */
export class SourceChanges {
  readonly #watcher: FSWatcher;
  #next = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  /** @param onProblem is called if some changes will be missed */
  constructor(folder: string, onProblem: (error: unknown) => void) {
    this.#watcher = watch(folder, {
      ignored: (path, stats) => {
        const parts = relative(folder, path).split(sep);
        return parts.some((part) => IGNORED.has(part)) || (stats?.isFile() === true && !SOURCE.test(basename(path)));
      },
      ignoreInitial: true,
      followSymlinks: false,
    })
      .on('all', () => {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#next.abort(), SETTLED);
      })
      .on('error', onProblem);
  }

  /** Resolves when changes are noticed. */
  ready(): Promise<void> {
    return new Promise((resolve) => this.#watcher.once('ready', resolve));
  }

  /** A signal for the next change from now on. */
  next(): AbortSignal {
    this.#next = new AbortController();
    return this.#next.signal;
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#watcher.close();
  }
}
