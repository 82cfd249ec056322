/**
 * `npm run mutants -- packages/tasks packages/http/src/cors.ts --count 40 --seed 7`: changes one condition after the other, and says which
 * changes no test of every day notices. No file of the repository is changed. `npm run mutants -- --named` judges those that were chosen by hand,
 * and `--named packages/tasks` those of a folder.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { judgeMutant } from './judge-mutant';
import { mutated, mutationsOf } from './mutations';
import { namedMutants, type NamedMutant } from './named-mutants';

const root = join(__dirname, '..', '..', '..');
/** Changes that are tried, unless the command line says otherwise. */
const USUAL = '20';

async function main(): Promise<void> {
  const options = { count: { type: 'string' }, seed: { type: 'string' }, named: { type: 'boolean' } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
  const count = Number(values.count ?? USUAL);
  const mutants = values.named === true ? namedIn(positionals) : choose(positionals.flatMap(sourcesOf), count, seed);
  if (mutants.length === 0) throw new Error('There is nothing to change: name folders or files of sources.');
  if (values.named !== true) say(`seed ${seed} (--seed ${seed} repeats it)`);
  let killed = 0;
  for (const { name, ...mutant } of mutants) {
    const verdict = await judgeMutant(mutant);
    if (verdict.isKilled) killed += 1;
    if (verdict.isKilled) say(`killed    ${name}\n          by ${verdict.by}`);
    else
      say(
        verdict.isLoaded
          ? `SURVIVED  ${name}`
          : `NO SPEC   ${name}\n          loads it: what is built runs, as in a thread`,
      );
  }
  say(`${killed} of ${mutants.length} were noticed.`);
  process.exitCode = killed === mutants.length ? 0 : 1;
}

/** The named ones of folders or files; all of them without any. */
function namedIn(given: readonly string[]): readonly NamedMutant[] {
  const places = given.map((each) => resolve(root, each));
  const isIn = (path: string): boolean => places.some((each) => path === each || path.startsWith(join(each, sep)));
  return namedMutants(root).filter(({ path }) => places.length === 0 || isIn(path));
}

/** The sources of a folder, or of its `src`, or a file. */
function sourcesOf(given: string): readonly string[] {
  const path = resolve(root, given);
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((name) => join(path, name))
    .filter((file) => /[\\/]src[\\/].+\.ts$/.test(file) && !/[\\/](node_modules|dist)[\\/]/.test(file));
}

function choose(paths: readonly string[], count: number, seed: number): readonly NamedMutant[] {
  const all = paths.flatMap((path) => {
    const text = readFileSync(path, 'utf8');
    return mutationsOf(path, text).map((mutation) => ({ path, text, mutation }));
  });
  const length = Math.min(count, all.length);
  const [chosen = []] = fc.sample(fc.shuffledSubarray(all, { minLength: length, maxLength: length }), {
    seed,
    numRuns: 1,
  });
  return chosen.map(({ path, text, mutation }) => {
    const { start, end, to, line } = mutation;
    const from = text.slice(start, end).replaceAll(/\s+/g, ' ');
    return {
      name: `${relative(root, path)}:${line} ${from} -> ${to || 'nothing'}`,
      path,
      text: mutated(text, mutation),
    };
  });
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

void main();
