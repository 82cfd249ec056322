/**
 * Installs the packages of package-lock.json: all of them, or those that some members of the workspace need to be built and to run. The
 * `dependencies` of the top package are what every build needs. Uses only Node.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand, runNode } from './run-command.mjs';
import { say, SetUpFailure } from './set-up-messages.mjs';

const NETWORK_ERROR =
  /npm (?:error|ERR!) code (ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT)/;

/** Every so many packages, one line says how far the installation is. */
const PROGRESS = 100;

/**
 * Installs what is missing.
 * @param root the top folder of the repository
 * @param members the folders of the members, or undefined for everything
 */
export async function installMissing(root, members) {
  if (isInstalled(root, members)) return;
  const known = noteOf(root);
  const wanted = members && [...new Set([...members, ...(isValid(root, known) ? known.members : [])])].sort();
  say(
    wanted === undefined
      ? 'installing all packages of package-lock.json'
      : 'installing the packages that this command needs',
  );
  // Without it, npm removes node_modules first: after an interruption, it may hold halves of packages.
  const isWhole = existsSync(listOfInstalled(root)) && !existsSync(started(root));
  mkdirSync(join(root, '.sigil'), { recursive: true });
  writeFileSync(started(root), '');
  rmSync(noteFile(root), { force: true });
  const lock = readFileSync(lockFile(root));
  const unreachable = await networkProblem(root);
  const { code, output } = await runNpm(root, [
    // Adds to what is there, because another program may be running from it.
    ...(isWhole ? ['install', '--no-save'] : ['ci']),
    ...(wanted === undefined ? ['--include=dev'] : ['--omit=dev', '--ignore-scripts', ...onlyFor(wanted)]),
    ...['--no-audit', '--no-fund', '--loglevel=http'],
    // What npm has in its cache may be enough, and if not, it says so at once.
    unreachable === undefined ? '--prefer-offline' : '--offline',
  ]);
  const disagrees = !readFileSync(lockFile(root)).equals(lock);
  if (disagrees) writeFileSync(lockFile(root), lock);
  if (code !== 0 || disagrees)
    throw new SetUpFailure(reasonOf(disagrees ? 'npm error code EUSAGE' : output, code, unreachable));
  if (wanted !== undefined) writeFileSync(noteFile(root), JSON.stringify({ ...digests(root), members: wanted }));
  rmSync(started(root), { force: true });
}

function onlyFor(members) {
  return ['--include-workspace-root', ...members.map((folder) => `--workspace=${folder}`)];
}

/** Whether node_modules has what these members need, or everything. */
function isInstalled(root, members) {
  if (!existsSync(listOfInstalled(root)) || existsSync(started(root))) return false;
  if (hasAll(root)) return true;
  const note = noteOf(root);
  return members !== undefined && isValid(root, note) && members.every((folder) => note.members.includes(folder));
}

/** Whether node_modules matches the lockfile, judged by npm's own list of installed packages. */
function hasAll(root) {
  const installed = readJson(listOfInstalled(root)).packages;
  const wanted = Object.entries(readJson(lockFile(root)).packages);
  return wanted.every(([path, entry]) => {
    if (!path.includes('node_modules/')) return true;
    const found = installed[path];
    if (!found) return entry.optional === true; // made for another platform
    return found.version === entry.version && found.resolved === entry.resolved;
  });
}

/** What was installed for some members, after an installation that was not of everything. */
function noteOf(root) {
  return existsSync(noteFile(root)) ? readJson(noteFile(root)) : undefined;
}

/** Whether nothing has been installed, and the lockfile has not changed, since the note was written. */
function isValid(root, note) {
  if (note === undefined || !existsSync(listOfInstalled(root))) return false;
  const { lock, installed } = digests(root);
  return note.lock === lock && note.installed === installed;
}

function digests(root) {
  const digestOf = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');
  return { lock: digestOf(lockFile(root)), installed: digestOf(listOfInstalled(root)) };
}

const lockFile = (root) => join(root, 'package-lock.json');
const listOfInstalled = (root) => join(root, 'node_modules', '.package-lock.json');
const noteFile = (root) => join(root, '.sigil', 'installed.json');
/** There while an installation runs, and after one that was interrupted. */
const started = (root) => join(root, '.sigil', 'installing');

function runNpm(root, args) {
  const npm = process.env.npm_execpath;
  const options = { capture: true, cwd: root, onOutput: sayProgress() };
  if (npm && /npm-cli\.[cm]?js$/.test(npm)) return runNode(npm, args, options);
  return runCommand('npm', args, { ...options, shell: process.platform === 'win32' });
}

/** Counts the packages that npm reads, from the registry or from its cache. */
function sayProgress() {
  let count = 0;
  let rest = '';
  return (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      if (!/^npm http .*\.tgz/.test(line)) continue;
      count += 1;
      if (count % PROGRESS === 0) say(`${count} packages read`);
    }
  };
}

/** The code of the error if the registry cannot be reached: the installation itself would try for minutes. */
async function networkProblem(root) {
  const { code, output } = await runNpm(root, ['ping', '--fetch-retries=0', '--fetch-timeout=10000']);
  return code === 0 ? undefined : NETWORK_ERROR.exec(output)?.[1];
}

function reasonOf(output, exitCode, unreachable) {
  const code = /npm (?:error|ERR!) code (\S+)/.exec(output)?.[1];
  const network = unreachable ?? NETWORK_ERROR.exec(output)?.[1];
  if (network !== undefined && code !== 'EUSAGE' && code !== 'ENOSPC')
    return `npm could not reach the package registry (${network}): check the network, then run the command again.`;
  if (code === 'EUSAGE')
    return 'package.json and package-lock.json disagree: run `npm install` and commit the lockfile.';
  if (code === 'ENOSPC') return 'npm ran out of disk space (ENOSPC): free some, then run the command again.';
  const told = output.split('\n').filter((line) => !/^npm (http|warn) /.test(line));
  return `${told.join('\n')}\nnpm failed with exit code ${exitCode}.`;
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
