/**
 * `npm run new -- ../my-server`: creates a server in a new folder with the packages of this clone. It does the same as
 * `npm create @sigil-mcp@latest` will do after the release, with the same tarballs.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { allMembers } from './members.mjs';
import { prepare, root, runScript, say, SetUpFailure } from './prepare.mjs';
import { runCommand, runNode } from './run-command.mjs';

/** A new project may need any of them. */
const packages = allMembers(root).filter((folder) => folder.startsWith('packages/'));
const create = join(root, 'packages', 'create', 'dist', 'main.js');
/** The folder of the user: npm runs scripts in the folder of the package. */
const here = process.env.INIT_CWD ?? process.cwd();

await runScript(async () => {
  const words = process.argv.slice(2);
  await prepare(packages);
  // The help needs no packages.
  if (words.some((word) => word === '--help' || word === '-h')) return (await runNode(create, words)).code;
  say('packing the packages of this clone (npm pack)');
  mkdirSync(join(root, '.sigil'), { recursive: true });
  // A new folder each time: two projects may be created at once.
  const packed = mkdtempSync(join(root, '.sigil', 'packages-'));
  try {
    await packAll(packed);
    const { code } = await runNode(create, [...words, '--packages', packed], { cwd: resolve(here) });
    return code;
  } finally {
    rmSync(packed, { recursive: true, force: true });
  }
});

/** In one go: npm takes longer to start than to pack. */
async function packAll(packed) {
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', packed];
  const options = { cwd: root, capture: true, shell: process.platform === 'win32' };
  const { code, output } = await runCommand(
    'npm',
    [...args, ...packages.map((each) => `--workspace=${each}`)],
    options,
  );
  if (code !== 0) throw new SetUpFailure(`${output}\nThe packages could not be packed.`);
}
