/**
 * `npm run check`: a quick check of a change, in about a minute. It checks types and imports of everything, and runs lint and the specs
 * for the changed files, in parallel. `npm run check -- <commit>` compares with another commit than the one where this branch left
 * main. It skips slow tests, and lists them: only `npm test` runs everything.
 */
import { join } from 'node:path';
import { changedFiles } from './changed-files.mjs';
import { chooseSpecs } from './choose-specs.mjs';
import { prepare, root, runScript } from './prepare.mjs';
import { runNode } from './run-command.mjs';

const bin = (...path) => join(root, 'node_modules', ...path);
const eslint = bin('eslint', 'bin', 'eslint.js');
const prettier = bin('prettier', 'bin', 'prettier.cjs');
const oxlint = bin('oxlint', 'bin', 'oxlint');
const cruiser = bin('dependency-cruiser', 'bin', 'dependency-cruise.mjs');
const jest = bin('jest', 'bin', 'jest.js');

/** The caches of the tools. */
const kept = (name) => join('.sigil', 'check', name);
/** A change of these files may affect the lint of every file. */
const rulesOfLint = /^(eslint\.config\.mjs|scripts\/eslint\/|\.prettierrc\.json|\.prettierignore)/;

await runScript(async () => {
  await prepare();
  const { since, files } = await changedFiles(process.argv[2]);
  say(`${count(files.length, 'file')} changed since ${since.slice(0, 7)}`);
  const specs = await chooseSpecs(files);
  const started = performance.now();
  // Two lanes: one uses the second core while the other waits for a disk or a timer.
  const results = await Promise.all([
    inTurn([types(), imports(), ...lint(files)]),
    inTurn(specs.chosen.length > 0 ? [runSpecs(specs.chosen)] : []),
  ]);
  const failed = results.flat().filter(({ code }) => code !== 0);
  say('');
  for (const line of specs.leftOut) say(`left out: ${line}`);
  say('skipped: the conformance suite; `npm test` runs everything');
  say(
    failed.length === 0
      ? `It holds (${seconds(started)}).`
      : `It does not hold (${seconds(started)}): ${failed.map(({ name }) => name).join(', ')}.`,
  );
  return failed.length === 0 ? 0 : 1;
});

function types() {
  const args = ['--type-aware', '--type-check', 'packages', 'apps', 'bench', 'test', 'jest.config.ts'];
  return { name: 'types', about: 'everything', file: oxlint, args };
}

function imports() {
  const cache = ['--cache', kept('imports'), '--cache-strategy', 'content'];
  const args = ['packages', 'apps', 'bench', 'test', '--config', '.dependency-cruiser.cjs', ...cache];
  return { name: 'imports', about: 'everything', file: cruiser, args };
}

function lint(files) {
  const all = files.some((file) => rulesOfLint.test(file));
  const sources = all ? ['.'] : files.filter((file) => /\.(ts|mjs|cjs)$/.test(file));
  const texts = all ? ['.'] : files;
  const about = (paths) => (all ? 'everything' : count(paths.length, 'file'));
  return [
    { name: 'eslint', about: about(sources), file: eslint, args: ['--max-warnings', '0', '--no-warn-ignored'] },
    { name: 'prettier', about: about(texts), file: prettier, args: ['--check', '--log-level', 'warn', '-u'] },
  ]
    .map((check, index) => ({ ...check, paths: index === 0 ? sources : texts }))
    .filter(({ paths }) => paths.length > 0)
    .map(({ paths, ...check }) => ({ ...check, args: [...check.args, ...paths] }));
}

function runSpecs(specs) {
  return { name: 'specs', about: count(specs.length, 'spec'), file: jest, args: ['--runTestsByPath', ...specs] };
}

/** Runs checks one after the other; the output of a failed one is shown. */
async function inTurn(checks) {
  const results = [];
  for (const { name, about, file, args } of checks) {
    const started = performance.now();
    const { code, output } = await runNode(file, args, { cwd: root, capture: true });
    if (code !== 0) say(`\n${output.trimEnd()}`);
    say(`${name} ${code === 0 ? 'ok' : 'failed'} (${about}, ${seconds(started)})`);
    results.push({ name, code });
  }
  return results;
}

function count(number, noun) {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function seconds(started) {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`;
}

function say(line) {
  process.stdout.write(`${line}\n`);
}
