/** The changes of a project's sources, for a command that repeats its work after each of them. */
import type { Clock } from '@sigil-mcp/base';
import { isOfCommands, watchFolder } from './watch-folder';

/** Sources and settings; a server may write other files while it works. */
const SOURCE = /\.[cm]?[jt]sx?$|^(?:package|tsconfig.*)\.json$|^\.env/;

/** A watch on the sources in a folder. */
export class SourceChanges {
  /** Resolves when changes are noticed. */
  readonly ready: Promise<void>;
  readonly #watch: { close(): Promise<void> };
  #next = new AbortController();

  /**
   * @param onProblem is called if some changes will be missed, with the reason and how to fix it
   * @param clock measures when the files are at rest; the system clock if left out
   */
  constructor(folder: string, onProblem: (problem: string) => void, clock?: Clock) {
    let isReady = (): void => undefined;
    this.ready = new Promise((resolve) => (isReady = resolve));
    const events = {
      ready: isReady,
      changed: () => undefined,
      settled: () => this.#next.abort(),
      missing: onProblem,
    };
    this.#watch = watchFolder(folder, events, { ignores, ...(clock && { clock }) });
  }

  /** A signal for the next change from now on. */
  next(): AbortSignal {
    this.#next = new AbortController();
    return this.#next.signal;
  }

  close(): Promise<void> {
    return this.#watch.close();
  }
}

function ignores(parts: readonly string[], isFile: boolean): boolean {
  return parts.some(isOfCommands) || (isFile && !SOURCE.test(parts.at(-1) ?? ''));
}
