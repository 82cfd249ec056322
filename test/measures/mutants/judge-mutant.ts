/** Whether the specs of every day notice a mutation. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const root = join(__dirname, '..', '..', '..');
const program = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
/** Milliseconds after which the specs hang: all of every day take less. */
const HANGS = 30 * 60_000;

/** What became of a mutation: the test that failed first, or that none has, and whether any spec loads the file. */
export type Verdict =
  { readonly isKilled: true; readonly by: string } | { readonly isKilled: false; readonly isLoaded: boolean };

/** A changed source. */
export interface Mutant {
  readonly path: string;
  readonly text: string;
}

/** Runs the specs that load the file: first those of its package, then those of other places. */
export async function judgeMutant(mutant: Mutant): Promise<Verdict> {
  const folder = mkdtempSync(join(tmpdir(), 'sigil-mutant-'));
  try {
    const file = join(folder, 'mutant.json');
    writeFileSync(file, JSON.stringify(mutant));
    const related = await relatedSpecs(mutant.path);
    const own = `${join(root, ...relative(root, mutant.path).split(/[\\/]/).slice(0, 2))}/`;
    const [first, others] = [true, false].map((isOwn) => related.filter((path) => path.startsWith(own) === isOwn));
    for (const specs of [first ?? [], others ?? []]) {
      const by = await failing(specs, file, folder);
      if (by !== undefined) return { isKilled: true, by };
    }
    return { isKilled: false, isLoaded: related.length > 0 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function relatedSpecs(path: string): Promise<readonly string[]> {
  const { output } = await run(['--listTests', '--findRelatedTests', path], {});
  return output.split(/\r?\n/).filter((line) => line.endsWith('.spec.ts'));
}

/** @returns the first test that fails, also when its spec runs alone: a busy machine may have been the reason */
async function failing(specs: readonly string[], mutant: string, folder: string): Promise<string | undefined> {
  for (let rest = specs; rest.length > 0;) {
    const first = await firstFailure(rest, mutant, folder);
    const again = first && rest.length > 1 ? await firstFailure([first.path], mutant, folder) : first;
    if (!first || again) return again && `${relative(root, again.path)}: ${again.name}`;
    rest = rest.filter((path) => path !== first.path);
  }
  return undefined;
}

interface Failure {
  readonly path: string;
  readonly name: string;
}

async function firstFailure(specs: readonly string[], mutant: string, folder: string): Promise<Failure | undefined> {
  const file = join(folder, 'failure.json');
  rmSync(file, { force: true });
  const args = ['--bail', '--reporters', join(__dirname, 'first-failure.cjs'), '--runTestsByPath', ...specs];
  const { code } = await run(args, { SIGIL_MUTANT: mutant, SIGIL_FIRST_FAILURE: file });
  if (code === 0) return undefined;
  if (code === null) return { path: specs[0] ?? '', name: 'a test that does not end' };
  if (!existsSync(file)) throw new Error(`jest has failed without a failed test, with ${code}`);
  return JSON.parse(readFileSync(file, 'utf8')) as Failure;
}

/** Runs jest on the specs of every day. @returns its exit code, or null if it had to be stopped */
async function run(
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const filter = ['--filter', join(root, 'scripts', 'spec-filter.cjs')];
  const child = spawn(process.execPath, [program, ...filter, ...args], {
    cwd: root,
    env: { ...process.env, SIGIL_SPECS: 'everyday', SIGIL_MATRIX: '1/5', ...variables },
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: HANGS,
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}
