/** The files that have changed in this working copy since it left the main branch. */
import { root, SetUpFailure } from './prepare.mjs';
import { runCommand } from './run-command.mjs';

/** The names of the main branch; the first one that exists is used. */
const mains = ['origin/main', 'main', 'HEAD'];

/**
 * @param commit to compare with; by default, the commit where this branch left main
 * @returns the commit, and the files that were added or changed since, committed or not, with `/` in their paths
 */
export async function changedFiles(commit) {
  const since = await commonAncestor(commit === undefined ? mains : [commit]);
  const changed = await git(['diff', '--name-only', '--diff-filter=d', '-z', since]);
  const unknown = await git(['ls-files', '--others', '--exclude-standard', '-z']);
  return { since, files: [...new Set([...namesIn(changed.output), ...namesIn(unknown.output)])].sort() };
}

async function commonAncestor(commits) {
  for (const commit of commits) {
    const { code, output } = await git(['merge-base', 'HEAD', commit]);
    if (code === 0) return output.trim();
  }
  throw new SetUpFailure(`Git finds no common ancestor of this copy and ${commits.join(', ')}.`);
}

function git(args) {
  return runCommand('git', ['-c', 'core.quotePath=false', ...args], { capture: true, cwd: root });
}

function namesIn(output) {
  return output.split('\0').filter((name) => name !== '');
}
