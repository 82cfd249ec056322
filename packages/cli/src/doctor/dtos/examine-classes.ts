/** `sigil doctor --dtos`: the classes of a project, compiled with its own compiler and examined with its own Sigil. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { failure, wrongUsage } from '../../failure';
import type { ReadSetup } from '../read-setup';
import { emitClasses } from './emit-classes';
import type { FoundClasses } from './examined-classes';
import { findFiles } from './find-files';
import type { LoadOrder } from './load-classes';

const EXPORTED_CLASS = /^[ \t]*export\s+(?:default\s+)?(?:abstract\s+)?class\s/m;

/**
 * @param pattern the files: a pattern with `*` and `**`, a folder or a file, relative to the project
 * @throws CliFailure if there are no such files, or if the project has no Sigil
 */
export async function examineClasses(setup: ReadSetup, pattern: string): Promise<FoundClasses> {
  const { folder, compiler } = setup;
  const found = findFiles(folder, pattern);
  if (found.length === 0) throw wrongUsage('SIGIL_DTOS_NO_FILES', { pattern, folder });
  if (!hasSigil(folder)) throw failure('SIGIL_DTOS_NO_CORE', { folder });
  // A file without a class may be a program, which must not be started.
  const sources = found.filter((file) => EXPORTED_CLASS.test(readFileSync(file, 'utf8')));
  const emitted = emitClasses(compiler, setup, sources);
  try {
    const files = sources.map((source) => [relative(folder, source), emitted.files.get(source) ?? ''] as const);
    return await load({ folder, files, imports: emitted.imports });
  } finally {
    rmSync(emitted.folder, { recursive: true, force: true });
  }
}

function hasSigil(folder: string): boolean {
  try {
    createRequire(join(folder, 'package.json')).resolve('@sigil-mcp/core/internal');
    return true;
  } catch {
    return false;
  }
}

async function load(order: LoadOrder): Promise<FoundClasses> {
  // Output of the classes while they are loaded is not part of the result.
  const child = fork(join(__dirname, 'load-classes.js'), {
    cwd: order.folder,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const ended = new AbortController();
  child.once('exit', () => ended.abort());
  child.send(order);
  try {
    const [answer] = (await once(child, 'message', { signal: ended.signal })) as [FoundClasses];
    return answer;
  } catch {
    throw failure('SIGIL_DTOS_NOT_LOADED', { folder: order.folder });
  }
}
