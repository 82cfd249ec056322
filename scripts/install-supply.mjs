/**
 * `npm run sqlite`, `npm run platforms`, `npm run apis` and `npm run registry`: install what some tests need, and most machines lack, into folders where the tests find it. An
 * existing installation is kept.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, runScript, SetUpFailure } from './prepare.mjs';
import { runCommand } from './run-command.mjs';

/** What each of them is for. */
const SUPPLIES = {
  sqlite: 'What the tests of SQLite need',
  platforms: 'What the tests of platforms need',
  apis: 'What the tests of OpenAPI documents need',
  registry: 'What the rehearsal of a release needs',
};

const [, , name] = process.argv;
const folder = join(root, '.sigil', name);
const manifest = join(root, 'test', 'support', 'supplies', name, 'package.json');

await runScript(async () => {
  if (isInstalled()) return say('is installed already');
  mkdirSync(folder, { recursive: true });
  copyFileSync(manifest, join(folder, 'package.json'));
  const { code } = await runCommand('npm', ['install', '--no-audit', '--no-fund'], {
    cwd: folder,
    shell: process.platform === 'win32',
  });
  if (code !== 0 || !isInstalled())
    throw new SetUpFailure(`${SUPPLIES[name]} could not be installed; see the output of npm above.`);
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
  process.stdout.write(`${SUPPLIES[name]} ${what}: ${folder}\n`);
  return 0;
}
