/**
 * `npm run conformance:oauth`: lets the OAuth conformance of `@mcpjam/sdk` judge a server with tokens. What it needs is installed when
 * it runs first, in a folder of its own.
 */
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, root, runScript, SetUpFailure } from './prepare.mjs';
import { runCommand, runNode } from './run-command.mjs';

const source = join(root, 'test', 'oauth-conformance');
const folder = join(root, '.sigil', 'oauth-conformance');

await runScript(async () => {
  await prepare();
  if (!existsSync(join(folder, 'node_modules', '@mcpjam', 'sdk'))) await install();
  const { code } = await runNode(join(source, 'run.mjs'), [folder]);
  return code;
});

/** Its tree wants another official client than ours: in a folder of its own neither knows of the other. */
async function install() {
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(source, 'package.json'), join(folder, 'package.json'));
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts'];
  const { code } = await runCommand('npm', args, { cwd: folder, shell: process.platform === 'win32' });
  if (code !== 0) throw new SetUpFailure('What judges the tokens could not be installed; npm says why above.');
}
