/**
 * `npm run conformance:oauth`: runs the OAuth conformance suite of `@mcpjam/sdk` against a server with tokens. Its dependencies are
 * installed at the first run, in a separate folder.
 */
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, root, runScript, SetUpFailure } from './prepare.mjs';
import { runCommand, runNode } from './run-command.mjs';

const source = join(root, 'test', 'judges', 'oauth-conformance');
const folder = join(root, '.sigil', 'oauth-conformance');

await runScript(async () => {
  await prepare();
  if (!existsSync(join(folder, 'node_modules', '@mcpjam', 'sdk'))) await install();
  const { code } = await runNode(join(source, 'run.mjs'), [folder]);
  return code;
});

/** The suite needs another version of the official client than this repository: in a separate folder they do not conflict. */
async function install() {
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(source, 'package.json'), join(folder, 'package.json'));
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts'];
  const { code } = await runCommand('npm', args, { cwd: folder, shell: process.platform === 'win32' });
  if (code !== 0)
    throw new SetUpFailure('The OAuth conformance suite could not be installed; see the output of npm above.');
}
