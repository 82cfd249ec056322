/** The git repository of a new project, and its first commit. Nothing here makes `sigil new` fail. */
import { runProgram, type ProgramEnd, type RunOptions } from './run-program';

/** What `startGit` found or made. */
export type GitStart = 'made' | 'inside another' | 'not installed';

/** The commands of a commit that runs no hooks and asks for no passphrase: nobody would see the question. */
const COMMIT = ['-c', 'user.useConfigOnly=true', 'commit', '--quiet', '--no-verify', '--no-gpg-sign'];

/** Makes the folder a git repository, unless it is in one already. */
export async function startGit(env: NodeJS.ProcessEnv, folder: string): Promise<GitStart> {
  const inside = await git({ cwd: folder, env }, 'rev-parse', '--is-inside-work-tree');
  if (inside.code === 0) return 'inside another';
  return (await git({ cwd: folder, env }, 'init', '--quiet')).code === 0 ? 'made' : 'not installed';
}

/**
 * Commits every file of a new repository.
 * @returns whether git made the commit; it does not if it does not know the name of the user
 */
export async function commitAll(env: NodeJS.ProcessEnv, folder: string, name: string): Promise<boolean> {
  if ((await git({ cwd: folder, env }, 'add', '--all')).code !== 0) return false;
  return (await git({ cwd: folder, env }, ...COMMIT, '--message', `Create ${name} with sigil new`)).code === 0;
}

function git(where: RunOptions, ...args: string[]): Promise<ProgramEnd> {
  return runProgram('git', args, where);
}
