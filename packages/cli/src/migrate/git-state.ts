/** Whether a folder has changes that git does not know, which a migration would be mixed with. */
import { runProgram } from '../scaffold/run-program';

/** The state of a folder: `unknown` without git or without a repository. */
export type GitState = 'clean' | 'changed' | 'unknown';

/**
 * Asks git.
 * @param written the files that would be written: git has to know them, too
 */
export async function gitState(env: NodeJS.ProcessEnv, folder: string, written: readonly string[]): Promise<GitState> {
  const ask = (...args: string[]): ReturnType<typeof runProgram> => runProgram('git', args, { cwd: folder, env });
  const { code, said } = await ask('status', '--porcelain', '--untracked-files=no', '--', '.');
  if (code !== 0) return 'unknown';
  const unknown = await ask('ls-files', '--others', '--', ...written);
  return said.trim() === '' && unknown.said.trim() === '' ? 'clean' : 'changed';
}
