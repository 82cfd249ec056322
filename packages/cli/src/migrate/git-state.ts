/** Whether a folder has changes that git does not know, which a migration would be mixed with. */
import { runProgram } from '../scaffold/run-program';

/** The state of a folder: `unknown` without git or without a repository. */
export type GitState = 'clean' | 'changed' | 'unknown';

/** Asks git. */
export async function gitState(env: NodeJS.ProcessEnv, folder: string): Promise<GitState> {
  const { code, said } = await runProgram('git', ['status', '--porcelain', '--untracked-files=no', '--', '.'], {
    cwd: folder,
    env,
  });
  if (code !== 0) return 'unknown';
  return said.trim() === '' ? 'clean' : 'changed';
}
