/** What has to be there before anything is measured: the compiled entry, and the versions of the Node entry. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('..', import.meta.url));
const root = join(folder, '..', '..');
const SDK = join('node_modules', '@modelcontextprotocol', 'sdk', 'package.json');

/** Compiles the Sigil entry against the packages of the repository. */
export function compileEntry() {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', join(folder, 'sigil')], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The Sigil entry does not compile:\n${stdout}`);
}

/** Installs the packages of the Node entry in its folder, unless they are there. Without a registry, those of the repository are used. */
export function installNodeEntry() {
  const cwd = join(folder, 'node-sdk');
  if (existsSync(join(cwd, 'node_modules'))) return;
  const args = ['install', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
  spawnSync('npm', args, { cwd, stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' });
}

/** @returns the version of the official SDK that the Node entry loads */
export function sdkVersion() {
  const found = [join(folder, 'node-sdk'), root].map((place) => join(place, SDK)).find((file) => existsSync(file));
  return JSON.parse(readFileSync(found, 'utf8')).version;
}

/**
 * Copies the program of their Node entry to where it finds its packages.
 * @param {string} checkout a copy of their repository
 * @returns the path of the program
 */
export function copyUpstream(checkout) {
  const place = join(folder, 'node-sdk', 'node_modules', '.upstream');
  mkdirSync(place, { recursive: true });
  const program = join(place, 'index.mjs');
  copyFileSync(join(checkout, 'nodejs-server', 'index.js'), program);
  return program;
}
