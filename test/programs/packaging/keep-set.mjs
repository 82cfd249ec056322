/**
 * Makes what several specs need, once for all of them: `packed`, a tarball of every package, or `installed`, what npm installs for a new
 * project. Prints the folder of the set, which is kept under the digest of what went into it. Whoever asks meanwhile waits.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { allMembers } from '../../../scripts/members.mjs';
import { root } from '../../../scripts/prepare.mjs';
import { runCommand } from '../../../scripts/run-command.mjs';
import { holdSetUpLock, LOCK } from '../../../scripts/set-up-lock.mjs';

const PACKAGES = allMembers(root).filter((folder) => folder.startsWith('packages/'));
/** A project with everything that a spec installs in one. */
const PROJECT = ['project', '--yes', '--no-install', '--no-git', '--transport', 'both', '--tokens'];
const QUIETLY = ['--silent', '--no-audit', '--no-fund', '--prefer-offline'];
/** A run that goes on may still read one of those before the last. */
const MOST_SETS = 3;

async function packed() {
  const workspaces = PACKAGES.map((folder) => `--workspace=${folder}`);
  return keep('packed', digestOfPackages(), (folder) =>
    run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder, ...workspaces], root),
  );
}

async function installed() {
  const tarballs = await packed();
  const digest = createHash('sha256').update([basename(tarballs), process.version, ...PROJECT].join(' '));
  return keep('installed', digest.digest('hex').slice(0, 16), async (folder) => {
    const create = join(root, 'packages', 'create', 'dist', 'main.js');
    await run(process.execPath, [create, ...PROJECT, '--packages', tarballs], folder);
    await run('npm', ['install', ...QUIETLY], join(folder, 'project'));
  });
}

/** The set of this digest. It has its name once it is whole: what an interrupted run has left is made again. */
async function keep(kind, digest, make) {
  const sets = join(root, '.sigil', kind);
  const release = await holdSetUpLock(sets);
  try {
    const folder = join(sets, digest);
    if (existsSync(folder)) return folder;
    removeOld(sets);
    const fresh = mkdtempSync(join(sets, 'new-'));
    await make(fresh);
    renameSync(fresh, folder);
    return folder;
  } finally {
    release();
  }
}

function removeOld(sets) {
  const folders = readdirSync(sets, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && !entry.name.startsWith(LOCK),
  );
  const [unfinished, whole] = [true, false].map((isNew) =>
    folders.map(({ name }) => name).filter((name) => name.startsWith('new-') === isNew),
  );
  const timeOf = (name) => statSync(join(sets, name)).mtimeMs;
  const old = whole.sort((one, other) => timeOf(other) - timeOf(one)).slice(MOST_SETS - 1);
  for (const name of [...unfinished, ...old]) rmSync(join(sets, name), { recursive: true, force: true });
}

/** Of the names, sizes and times of all files that may be packed. */
function digestOfPackages() {
  const digest = createHash('sha256');
  for (const member of PACKAGES) {
    for (const file of readdirSync(join(root, member), { recursive: true }).map(String).sort()) {
      if (!/^(dist|jest[/\\]|templates|package\.json|LICENSE|[^/\\]+\.(js|md))/.test(file)) continue;
      const { size, mtimeMs } = statSync(join(root, member, file));
      digest.update(`${member} ${file} ${size} ${mtimeMs}\n`);
    }
  }
  return digest.digest('hex').slice(0, 16);
}

async function run(program, args, cwd) {
  const { code, output } = await runCommand(program, args, { cwd, capture: true });
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${output}`);
}

process.stdout.write(await { packed, installed }[process.argv[2]]());
