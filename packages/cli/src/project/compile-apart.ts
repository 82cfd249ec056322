/** Compiles a project in a thread of its own, unless nothing has changed. */
import { readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CompileThreads } from '../compile-threads';
import { CliFailure } from '../failure';
import { tellThreads } from '../terminal/own-sequences';
import type { Shell } from '../terminal/shell';
import { wantsColors } from '../terminal/styles';
import { cacheOf, findCompiled, unfinishedMark } from './compile-project';
import { showBlocked } from '../terminal/status-line';
import { findProject, shownPath } from './find-project';

/**
 * Compiles as `compileProject` does, unless nothing has changed. A terminal shows meanwhile that it compiles.
 * @param signal stops it; files that it has written so far are removed
 * @throws CliFailure if the project does not compile
 */
export async function compileApart(shell: Shell, entry: string, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  const known = findCompiled(entry);
  if (known !== undefined) return known;
  const remove = showBlocked(shell, `Compiling ${shownPath(findProject(dirname(entry)).folder, entry)}`);
  try {
    return await compile(shell, entry, signal);
  } finally {
    remove();
  }
}

async function compile(shell: Shell, entry: string, signal: AbortSignal): Promise<string> {
  tellThreads();
  const { stderr, env, compileThreads } = shell;
  // Most commands compile once, and need the memory no longer.
  const threads = compileThreads ?? new CompileThreads();
  try {
    const answer = await threads.run({ entry, hasColors: wantsColors(stderr, env) }, signal);
    if ('path' in answer) return answer.path;
    throw new CliFailure(answer.failure.words, answer.failure.exitCode);
  } catch (error) {
    if (!signal.aborted) throw error;
    removeUnfinished(cacheOf(dirname(entry)));
    throw signal.reason;
  } finally {
    if (threads !== compileThreads) await threads.close();
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
