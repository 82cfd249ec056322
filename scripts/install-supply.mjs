/**
 * `npm run sqlite`, `npm run platforms`, `npm run apis` and `npm run registry`: install what some tests need, and most machines lack, into
 * folders where the tests find it; for `npm run lerna`, what a release needs, and for `npm run docs`, what the site needs. An existing
 * installation is kept.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root, runScript, SetUpFailure } from './prepare.mjs';
import { runCommand } from './run-command.mjs';

/** What each of them is for. */
const SUPPLIES = {
  sqlite: 'What the tests of SQLite need',
  platforms: 'What the tests of platforms need',
  apis: 'What the tests of OpenAPI documents need',
  registry: 'What the rehearsal of a release needs',
  release: 'What a release needs',
  site: 'What the site needs',
};

const [, , name] = process.argv;
/** What the site is made with is found from its own files. */
const isInPlace = name === 'site';
const folder = isInPlace ? join(root, 'docs', '.vitepress') : join(root, '.sigil', name);
const manifest = isInPlace
  ? join(folder, 'package.json')
  : join(root, 'test', 'support', 'supplies', name, 'package.json');
/** What publishes packages, or is published, is pinned whole. */
const lock = join(dirname(manifest), 'package-lock.json');
/** Written when an installation has ended: the manifest that it was of. */
const mark = join(isInPlace ? join(folder, 'node_modules') : folder, 'installed.json');

await runScript(async () => {
  if (isInstalled()) return say('is installed already');
  mkdirSync(folder, { recursive: true });
  rmSync(mark, { force: true });
  if (!isInPlace) {
    copyFileSync(manifest, join(folder, 'package.json'));
    if (existsSync(lock)) copyFileSync(lock, join(folder, 'package-lock.json'));
  }
  const { code } = await runCommand('npm', [existsSync(lock) ? 'ci' : 'install', '--no-audit', '--no-fund'], {
    cwd: folder,
    shell: process.platform === 'win32',
    // What has to be compiled serves a few tests: to make it fast takes longer than they do.
    env: { CFLAGS: '-O0', CXXFLAGS: '-O0', ...process.env },
  });
  if (code !== 0) throw new SetUpFailure(`${SUPPLIES[name]} could not be installed; see the output of npm above.`);
  copyFileSync(manifest, mark);
  return say('is installed');
});

/** Whether an installation has ended, of these versions: one that was interrupted has packages without what they build. */
function isInstalled() {
  return existsSync(mark) && readFileSync(mark, 'utf8') === readFileSync(manifest, 'utf8');
}

function say(what) {
  process.stdout.write(`${SUPPLIES[name]} ${what}: ${folder}\n`);
  return 0;
}
