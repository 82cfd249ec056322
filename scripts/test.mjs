/**
 * `npm test`: set-up, then lint and types, the tests of every day and the official conformance suite, one after the other, until a stage
 * fails. `npm run test:all` runs everything there is; `-- --shard 1/3` a third of its specs, `-- --rest` only what `npm test` leaves.
 * Other arguments go to jest (`npm test -- packages/core`): then only the selected tests run after the set-up.
 * With SIGIL_REQUIRE_ALL=1 a skipped test is a failure. SIGIL_MATRIX=2/5 names the part of the matrix (adapters, revisions, Redis
 * clients, sets that go by turns); without it, the hash of the commit does, and `test:all` runs all of it.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { compilerOf } from './build.mjs';
import { changedFiles } from './changed-files.mjs';
import { judgeReport, needOf, slowest, withoutNeed } from './judge-report.mjs';
import { prepare, root, runScript, SetUpFailure } from './prepare.mjs';
import { runCommand, runNode } from './run-command.mjs';

const { compileAhead } = createRequire(import.meta.url)('./compile-typescript.cjs');
const { chooseSpecs, leftOut, nameOf, skippedFile } = createRequire(import.meta.url)('./spec-filter.cjs');

/** Tools and services that tests need and a machine may lack, with the command that installs each. */
const supplies = JSON.parse(readFileSync(join(root, 'test', 'support', 'supplies', 'supplies.json'), 'utf8'));

/** Of so many slices of the matrix, a commit runs one. */
const SLICES = 5;
/** Arguments that jest answers without running a test. */
const questions = ['--listTests', '--showConfig', '--clearCache', '--version', '-v', '--help', '-h'];
const { which, shard, filter } = readArguments(process.argv.slice(2));
/** The folder of the user: npm runs scripts in the folder of the package. */
const here = process.env.INIT_CWD ?? process.cwd();
const requireAll = process.env.SIGIL_REQUIRE_ALL === '1';
const bin = (...path) => join(root, 'node_modules', ...path);
/** One shard does what cannot be divided. */
const isFirst = shard === undefined || shard.startsWith('1/');

const stages = [
  { name: 'set-up', run: () => prepare().then(() => 0) },
  { name: 'lint and types', run: lint, of: ['everyday'] },
  // For minutes, a supply compiles one file, and has use for one core only.
  { name: 'supplies, lint and types', run: () => both(installSupplies, isFirst ? lint : () => 0), of: ['all', 'rest'] },
  { name: 'tests', run: runTests },
  { name: 'conformance', run: runConformance, of: ['everyday', 'all'], once: true },
  {
    name: 'conformance of views',
    run: () => run(join(root, 'scripts', 'apps-conformance.mjs')),
    of: ['all', 'rest'],
    once: true,
  },
].filter(({ of, once }) => (of === undefined || of.includes(which)) && (isFirst || !once));

/** The counts of jest, after it has run. */
const counts = { passed: 0, failed: 0, skipped: 0, known: false };
const notes = [];

await runScript(async () => {
  if (process.env.MCP_SCHEMA_DIR) process.env.MCP_SCHEMA_DIR = resolve(here, process.env.MCP_SCHEMA_DIR);
  process.env.SIGIL_MATRIX ??= which === 'all' ? 'all' : which === 'selected' ? '' : await matrixOfCommit();
  if (process.env.SIGIL_MATRIX === '') delete process.env.SIGIL_MATRIX;
  const results = [];
  let code = 0;
  try {
    for (const { name, run } of stages) {
      heading(name);
      const started = performance.now();
      code = 1;
      results.push({ name, verdict: 'failed' });
      code = await run();
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      results[results.length - 1] = { name, verdict: `${code === 0 ? 'ok' : 'failed'} (${seconds} s)` };
      if (code !== 0) break;
    }
  } finally {
    summarise(results);
  }
  return code;
});

/** Which tests: `everyday`, `all`, `rest`, or `selected` by arguments of jest (`filter`). */
function readArguments(args) {
  if (args.length === 0) return { which: 'everyday', filter: args };
  const [set, ...rest] = args;
  if (set !== '--all') return { which: 'selected', filter: args };
  try {
    const { values } = parseArgs({ args: rest, options: { shard: { type: 'string' }, rest: { type: 'boolean' } } });
    if (values.shard !== undefined && !/^[1-9]\d*\/[1-9]\d*$/.test(values.shard))
      throw new Error(`--shard is ${values.shard}`);
    return { which: values.rest === true ? 'rest' : 'all', shard: values.shard, filter: [] };
  } catch (error) {
    process.stderr.write(`${error.message}\nUse: npm run test:all -- [--shard 1/3] [--rest]\n`);
    process.exit(1);
  }
}

/** The slice of the matrix that the commit has: the same for everybody who tests it. */
async function matrixOfCommit() {
  const { code, output } = await runCommand('git', ['rev-parse', 'HEAD'], { capture: true, cwd: root }).catch(() => ({
    code: 1,
  }));
  const slice = code === 0 ? (Number.parseInt(output.slice(0, 8), 16) % SLICES) + 1 : 1;
  return `${slice}/${SLICES}`;
}

/** The code of the first that has failed, when both have ended. */
async function both(...runs) {
  const codes = await Promise.all(runs.map((run) => run()));
  return codes.find((code) => code !== 0) ?? 0;
}

/** What some tests need and npm can bring. */
async function installSupplies() {
  const codes = await Promise.all(
    ['sqlite', 'platforms', 'apis', 'site'].map((name) =>
      inTurn([[join(root, 'scripts', 'install-supply.mjs'), [name]]]),
    ),
  );
  return codes.flat().find((code) => code !== 0) ?? 0;
}

/** In two lanes, which take as long as the longer one. Everyday, what needs no types is asked of changed files alone. */
async function lint() {
  const folders = ['packages', 'apps', 'bench', 'test'];
  const typed = [bin('oxlint', 'bin', 'oxlint'), ['--type-aware', '--type-check', ...folders, 'jest.config.ts']];
  const page = [compilerOf(root), ['-p', 'packages/inspector/page']];
  const imports = [
    bin('dependency-cruiser', 'bin', 'dependency-cruise.mjs'),
    [...folders, '--config', '.dependency-cruiser.cjs'],
  ];
  const texts = ['plain-english', 'one-name', 'weight'].map((name) => [join(root, 'scripts', `${name}.mjs`), []]);
  const lanes = {
    everyday: async () => [[typed], [...(await syntaxOf(await changed())), page, imports, ...texts]],
    all: async () => {
      const [eslint, prettier] = await syntaxOf(['.']);
      return [
        [typed, eslint],
        [prettier, voids(), page, imports, ...texts],
      ];
    },
    rest: async () => {
      const [eslint, prettier] = await syntaxOf(['.']);
      return [[eslint, voids()], [prettier]];
    },
  };
  const codes = await Promise.all((await lanes[which]()).map(inTurn));
  return codes.flat().find((code) => code !== 0) ?? 0;
}

/** The lint of what can be seen without types. */
async function syntaxOf(files) {
  const isAll = files.includes('.');
  const sources = isAll ? files : files.filter((file) => /\.(ts|mjs|cjs)$/.test(file));
  return [
    [bin('eslint', 'bin', 'eslint.js'), ['--max-warnings', '0', '--no-warn-ignored'], sources],
    [bin('prettier', 'bin', 'prettier.cjs'), ['--check', '--log-level', 'warn', '-u'], files],
  ]
    .filter(([, , paths]) => paths.length > 0)
    .map(([tool, args, paths]) => [tool, [...args, ...paths]]);
}

/** The one rule of ours that needs types, of files that may have what it is about: an operator and not the type `void`. */
function voids() {
  const sources = readdirSync(join(root, 'packages'), { recursive: true })
    .filter((name) => /^[^/\\]+[/\\]src[/\\].+\.ts$/.test(name))
    .map((name) => join('packages', name));
  const files = sources.filter((file) => /\bvoid\s+[^\s{})\]|&;,>=]/.test(readFileSync(join(root, file), 'utf8')));
  return [bin('eslint', 'bin', 'eslint.js'), ['--config', 'scripts/eslint/typed.config.mjs', ...files]];
}

/** The files that differ from the main branch; everything where that cannot be told. */
async function changed() {
  try {
    const { files } = await changedFiles();
    // Too many for a command line, and as good as everything.
    if (files.length > 300) return ['.'];
    notes.push(`lint of ${files.length} changed files; npm run test:all has the others`);
    return files;
  } catch (error) {
    if (!(error instanceof SetUpFailure)) throw error;
    return ['.'];
  }
}

/** Runs tools one after the other; the output of each is printed when it has ended. */
async function inTurn(tools) {
  const codes = [];
  for (const [tool, args] of tools) {
    const { code, output } = await runNode(tool, args, { cwd: root, capture: true });
    process.stdout.write(output);
    codes.push(code);
  }
  return codes;
}

async function run(file, args = []) {
  return (await runNode(file, args, { cwd: root })).code;
}

async function runTests() {
  const jest = bin('jest', 'bin', 'jest.js');
  if (filter.some((arg) => questions.includes(arg))) return run(jest, filter);
  const chosen = which === 'selected' ? filter : ['--filter', join(root, 'scripts', 'spec-filter.cjs')];
  if (shard !== undefined) chosen.push('--shard', shard);
  if (which !== 'selected') {
    process.env.SIGIL_SPECS = which;
    say(`matrix: ${process.env.SIGIL_MATRIX} (SIGIL_MATRIX=${process.env.SIGIL_MATRIX} repeats it)`);
    await noteLeftOut();
    await compileAhead(async (program, args) => (await runNode(program, args, { cwd: root, capture: true })).output);
  }
  const folder = mkdtempSync(join(tmpdir(), 'sigil-test-'));
  const report = join(folder, 'report.json');
  try {
    const { code } = await runNode(jest, ['--json', '--outputFile', report, ...chosen], { cwd: root });
    const told = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined;
    return told?.testResults ? judge(told, code) : code || 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Notes what this run leaves to others. */
async function noteLeftOut() {
  const { output } = await runNode(bin('jest', 'bin', 'jest.js'), ['--listTests'], { cwd: root, capture: true });
  const paths = output.split(/\r?\n/).filter((line) => line.endsWith('.spec.ts'));
  const chosen = chooseSpecs(paths, which, process.env.SIGIL_MATRIX);
  for (const { name, count, what } of leftOut(paths, chosen)) {
    if (which === 'rest' && what === undefined) continue;
    notes.push(`${count} of the specs of ${name}: ${what}`);
  }
}

/** The server with each adapter, and the client, at the same time: the suite waits more than it works. */
async function runConformance() {
  const runs = [['run.mjs'], ['run.mjs', '--fetch'], ['run-client.mjs']];
  const codes = await Promise.all(
    runs.map(([file, ...args]) => inTurn([[join(root, 'test', 'judges', 'conformance', file), args]])),
  );
  return codes.flat().find((code) => code !== 0) ?? 0;
}

function judge(report, code) {
  const { passed, failed, skipped } = judgeReport(report, filter);
  Object.assign(counts, { passed, failed, skipped: skipped.length, known: true });
  nameSkipped(skipped);
  nameSlowest(report);
  if (which === 'everyday') noteSkipped(report);
  if (passed + failed + skipped.length === 0) return say('No test ran.', 1);
  if (requireAll && skipped.length > 0) return say('With SIGIL_REQUIRE_ALL=1 no test may be skipped.', 1);
  return code;
}

/** Lists every skipped test by name, grouped by its requirement. */
function nameSkipped(skipped) {
  const needs = new Map();
  for (const test of skipped) {
    const need = needOf(test);
    needs.set(need, [...(needs.get(need) ?? []), test]);
  }
  for (const [need, tests] of needs) {
    const supply = supplies[need];
    say(
      supply
        ? `\nSkipped because of missing ${supply.what}: ${tests.length}`
        : `\nSkipped for an unknown reason: ${tests.length}`,
    );
    for (const test of tests) say(`  ${withoutNeed(test)}`);
    if (supply) say(`Supplied by: ${supply.command}`);
  }
}

/** For `--rest`, which runs their specs again. */
function noteSkipped({ testResults }) {
  const specs = testResults.filter(({ assertionResults }) =>
    assertionResults.some(({ status }) => status === 'pending'),
  );
  writeFileSync(skippedFile, specs.map(({ name }) => nameOf(name)).join('\n'));
}

function nameSlowest(report) {
  say('\nThe slowest specs:');
  for (const { name, seconds } of slowest(report)) say(`  ${seconds.toFixed(1).padStart(6)} s  ${nameOf(name)}`);
}

function heading(name) {
  say(`\n── ${name} ${'─'.repeat(70 - name.length)}`);
}

function summarise(results) {
  const verdicts = stages.map(({ name }) => {
    const result = results.find((each) => each.name === name);
    return `${name} ${result?.verdict ?? 'not run'}`;
  });
  heading('summary');
  if (filter.length > 0) say(`only the tests selected by: ${filter.join(' ')}`);
  say(verdicts.join(' · '));
  for (const note of notes) say(`left out: ${note}`);
  if (notes.length > 0 && which === 'everyday') say('npm run test:all runs everything.');
  if (counts.known) say(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
}

function say(line, result) {
  process.stdout.write(`${line}\n`);
  return result;
}
