/** `npm run sqlite`: installs what the tests of SQLite need into a folder where they find it. An existing installation is kept. */
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, runScript, SetUpFailure } from './prepare.mjs';
import { runCommand } from './run-command.mjs';

const folder = join(root, '.sigil', 'sqlite');
const manifest = join(root, 'test', 'support', 'supplies', 'sqlite', 'package.json');

await runScript(async () => {
  if (isInstalled()) return say('is installed already');
  mkdirSync(folder, { recursive: true });
  copyFileSync(manifest, join(folder, 'package.json'));
  const { code } = await runCommand('npm', ['install', '--no-audit', '--no-fund'], {
    cwd: folder,
    shell: process.platform === 'win32',
  });
  if (code !== 0 || !isInstalled())
    throw new SetUpFailure('What the tests of SQLite need could not be installed; see the output of npm above.');
  return say('is installed');
});

/** Whether every package is there in its version. */
function isInstalled() {
  const wanted = Object.entries(JSON.parse(readFileSync(manifest, 'utf8')).dependencies);
  return wanted.every(([name, version]) => {
    const file = join(folder, 'node_modules', name, 'package.json');
    return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version === version;
  });
}

function say(what) {
  process.stdout.write(`What the tests of SQLite need ${what}: ${folder}\n`);
  return 0;
}
