/**
 * `npm run lerna -- version` and `npm run release`: lerna, installed when it is first asked for, by a lock file of its own. It brings as many
 * packages as a fourth of all others, and only a release needs it.
 */
import { join } from 'node:path';
import { root, runScript } from './prepare.mjs';
import { runNode } from './run-command.mjs';

const lerna = join(root, '.sigil', 'release', 'node_modules', 'lerna', 'dist', 'cli.js');

await runScript(async () => {
  const { code } = await runNode(join(root, 'scripts', 'install-supply.mjs'), ['release']);
  if (code !== 0) return code;
  return (await runNode(lerna, process.argv.slice(2), { cwd: root })).code;
});
