/**
 * The set-up that `npm start` and `npm test` do automatically: installs missing packages of the lockfile, then builds outdated
 * packages. Uses only Node, because it runs before anything is installed.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBundled } from './bundled.mjs';
import { isPackaged, writePackagedDocs } from './docs/packaged-docs.mjs';
import { pruneBuilt } from './prune-built.mjs';
import { runCommand, runNode } from './run-command.mjs';
import { holdSetUpLock } from './set-up-lock.mjs';

/** The top folder of the repository. */
export const root = fileURLToPath(new URL('..', import.meta.url));

const oldestNode = [20, 19];

/** A message for the user in one sentence, without a stack trace. */
export class SetUpFailure extends Error {}

/** Installs and builds the repository; throws a SetUpFailure with the problem. */
export async function prepare() {
  checkNode();
  const release = await holdSetUpLock(join(root, '.sigil'));
  try {
    if (!isInstalled()) await install();
    await build();
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

/** Whether node_modules matches the lockfile, judged by npm's own list of installed packages. */
function isInstalled() {
  const listOfInstalled = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(listOfInstalled)) return false;
  const installed = readJson(listOfInstalled).packages;
  const wanted = Object.entries(readJson(join(root, 'package-lock.json')).packages);
  return wanted.every(([path, entry]) => {
    if (!path.includes('node_modules/')) return true;
    const found = installed[path];
    if (!found) return entry.optional === true; // made for another platform
    return found.version === entry.version && found.resolved === entry.resolved;
  });
}

async function install() {
  say('installing the packages of package-lock.json (npm ci)');
  const { code, output } = await runNpm(['ci', '--include=dev', '--no-audit', '--no-fund']);
  if (code === 0) return;
  throw new SetUpFailure(reasonOf(output) ?? `${output}\nnpm ci failed with exit code ${code}.`);
}

function runNpm(args) {
  const npm = process.env.npm_execpath;
  if (npm && /npm-cli\.[cm]?js$/.test(npm)) return runNode(npm, args, { capture: true, cwd: root });
  return runCommand('npm', args, { capture: true, cwd: root, shell: process.platform === 'win32' });
}

function reasonOf(output) {
  const code = /npm (?:error|ERR!) code (\S+)/.exec(output)?.[1];
  if (/^(ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT)$/.test(code)) {
    return `npm ci could not reach the package registry (${code}): check the network, then run the command again.`;
  }
  if (code === 'EUSAGE')
    return 'package.json and package-lock.json disagree: run `npm install` and commit the lockfile.';
  if (code === 'ENOSPC') return 'npm ci ran out of disk space (ENOSPC): free some, then run the command again.';
  return undefined;
}

async function build() {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const options = { capture: true, cwd: root, onOutput: sayProjects() };
  const { code, output } = await runNode(compiler, ['-b', '--verbose'], options);
  if (code === 0) {
    const stale = pruneBuilt(root);
    if (stale > 0) say(`removed ${stale} built files of deleted sources`);
    if (!isBundled(root)) {
      // Imported only after its dependencies are installed.
      const { bundlePackages } = await import('./bundle.mjs');
      const bundled = await bundlePackages(root);
      if (bundled > 0) say(`bundled the libraries (${bundled} files have changed)`);
    }
    if (!isPackaged(root)) await writePackagedDocs(root);
    return;
  }
  const errors = output.split(/\r?\n/).filter((line) => !/^\[?\d\d?:\d\d:\d\d/.test(line) && line.trim() !== '');
  throw new SetUpFailure(`${errors.join('\n')}\nThe build failed: fix the errors above (\`npm run build\`).`);
}

/** Reads the compiler's output in pieces, and reports each project as it begins, because the whole build takes a minute. */
function sayProjects() {
  let line = '';
  return (text) => {
    const lines = (line + text).split('\n');
    line = lines.pop();
    for (const whole of lines) {
      const [, folder] = /Building project '[^']*?((?:packages|apps)\/[^/']+)\/tsconfig\.json'/.exec(whole) ?? [];
      if (folder !== undefined) say(`building ${folder} (tsc -b)`);
    }
  };
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Reports a preparation step of a command. */
export function say(line) {
  process.stdout.write(`set-up: ${line}\n`);
}
