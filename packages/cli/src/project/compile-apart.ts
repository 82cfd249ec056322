/** Compiles a project in a separate thread: the compiler blocks its thread, and Ctrl-C must work meanwhile. */
import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ErrorWords } from '@sigil-mcp/core/adapter';
import { CliFailure } from '../failure';
import { tellThreads } from '../terminal/own-sequences';
import type { Shell } from '../terminal/shell';
import { wantsColors } from '../terminal/styles';
import { cacheOf, findCompiled, unfinishedMark } from './compile-project';
import { withNotice } from './compile-notice';

/** The message to the thread. */
export interface CompileOrder {
  readonly entry: string;
  /** Whether error messages are coloured. */
  readonly hasColors: boolean;
}

/** The answer of the thread: the path of the compiled entry, or a failure for the user. */
export type Compiled =
  { readonly path: string } | { readonly failure: { readonly words: ErrorWords; readonly exitCode: number } };

/**
 * Compiles as `compileProject` does, unless nothing has changed. A terminal shows meanwhile that it compiles.
 * @param signal stops it; files that it has written so far are removed
 * @throws CliFailure if the project does not compile
 */
export async function compileApart(shell: Shell, entry: string, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  return findCompiled(entry) ?? withNotice(shell, entry, () => compile(shell, entry, signal));
}

async function compile({ stderr, env }: Shell, entry: string, signal: AbortSignal): Promise<string> {
  tellThreads();
  const workerData: CompileOrder = { entry, hasColors: wantsColors(stderr, env) };
  const worker = new Worker(join(__dirname, 'compile-thread.js'), { workerData });
  try {
    const [answer] = (await once(worker, 'message', { signal })) as [Compiled];
    if ('path' in answer) return answer.path;
    throw new CliFailure(answer.failure.words, answer.failure.exitCode);
  } catch (error) {
    await worker.terminate();
    if (!signal.aborted) throw error;
    removeUnfinished(cacheOf(dirname(entry)));
    throw signal.reason;
  }
}

function removeUnfinished(cache: string): void {
  try {
    const mine = readdirSync(cache).filter((name) => name.endsWith(unfinishedMark()));
    for (const name of mine) rmSync(join(cache, name), { recursive: true, force: true });
  } catch {
    // Nothing has been written yet.
  }
}
