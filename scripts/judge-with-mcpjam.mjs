/** Runs a judge of `@mcpjam/sdk`. Its dependencies are installed at the first run, in a separate folder. */
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, root, runScript, SetUpFailure } from './prepare.mjs';
import { runCommand, runNode } from './run-command.mjs';

const folder = join(root, '.sigil', 'mcpjam');

/** @param name the folder of the judge in test/judges; its `run.mjs` is given the folder in which the package is installed */
export async function judgeWithMcpjam(name) {
  await runScript(async () => {
    await prepare();
    if (!existsSync(join(folder, 'node_modules', '@mcpjam', 'sdk'))) await install();
    const { code } = await runNode(join(root, 'test', 'judges', name, 'run.mjs'), [folder]);
    return code;
  });
}

/** The package needs another version of the official client than this repository: in a separate folder they do not conflict. */
async function install() {
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(root, 'test', 'judges', 'mcpjam', 'package.json'), join(folder, 'package.json'));
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts'];
  const { code } = await runCommand('npm', args, { cwd: folder, shell: process.platform === 'win32' });
  if (code !== 0) throw new SetUpFailure('@mcpjam/sdk could not be installed; see the output of npm above.');
}
