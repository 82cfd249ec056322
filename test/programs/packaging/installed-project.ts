/** New projects whose packages npm has installed once for all of them. */
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { CREATE, keptSet, packAll } from './packed';
import { run, runWell, type Ran } from './run-command';

/**
 * Makes a project as `sigil new` does, installed and built, but for its packages: npm finds them there, and takes away what it does not need.
 * @param words the options of `sigil new`
 */
export async function createInstalled(folder: string, name: string, words: readonly string[]): Promise<void> {
  const { folder: tarballs } = await packAll();
  const project = join(folder, name);
  await runWell(process.execPath, [CREATE, name, '--yes', '--no-install', '--packages', tarballs, ...words], folder);
  await linkInstalled(project);
  await runWell('npm', ['install', '--no-audit', '--no-fund'], project);
  await runWell('npm', ['run', 'build'], project);
  expect(await sigilIn(project, 'contract')).toMatchObject({ code: 0 });
}

/** Runs `sigil` of a project: what `npx` finds there, without its search. */
export function sigilIn(project: string, ...words: string[]): Promise<Ran> {
  return run(
    process.execPath,
    [join(project, 'node_modules', '@sigil-mcp', 'cli', 'dist', 'main.js'), ...words],
    project,
  );
}

/** Gives a folder the packages of a new project: npm has installed them once for all. */
export async function linkInstalled(project: string): Promise<void> {
  const installed = join(await keptSet('installed'), 'project');
  const lock = join(project, 'package-lock.json');
  if (!existsSync(lock)) copyFileSync(join(installed, 'package-lock.json'), lock);
  linkTree(join(installed, 'node_modules'), join(project, 'node_modules'));
}

/** The same files, without the time and the room that copies take. */
function linkTree(from: string, to: string): void {
  const isNear = statSync(from).dev === statSync(dirname(to)).dev;
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkTree(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    // npm writes its list in place; all else it replaces.
    else if (isNear && entry.name !== '.package-lock.json') linkSync(source, target);
    else copyFileSync(source, target);
  }
}
