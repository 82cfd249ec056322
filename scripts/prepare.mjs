/**
 * The set-up that every command of the repository does automatically: installs missing packages of the lockfile, then builds outdated
 * packages: all of them, or those that one app needs. Uses only Node, because it runs before anything is installed.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';
import { installMissing } from './install.mjs';
import { withNeeded } from './members.mjs';
import { holdSetUpLock } from './set-up-lock.mjs';
import { SetUpFailure } from './set-up-messages.mjs';

export { say, SetUpFailure } from './set-up-messages.mjs';

/** The top folder of the repository. */
export const root = fileURLToPath(new URL('..', import.meta.url));

const oldestNode = [20, 19];

/**
 * Installs and builds; throws a SetUpFailure with the problem.
 * @param folders the members that are needed, such as `apps/weather`; the whole repository if left out
 */
export async function prepare(folders) {
  checkNode();
  const members = folders && withNeeded(root, folders);
  const release = await holdSetUpLock(join(root, '.sigil'));
  try {
    await installMissing(root, members);
    await build(root, members);
  } finally {
    release();
  }
}

/** Runs the main function of a script: its result becomes the exit code, a SetUpFailure one sentence on stderr. */
export async function runScript(main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    if (!(error instanceof SetUpFailure)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return;
  throw new SetUpFailure(`Sigil needs Node ${oldestNode.join('.')} or newer; this is Node ${process.versions.node}.`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await runScript(() => prepare().then(() => 0));
