/**
 * `npm test`: set-up, then lint, types, every test and the official conformance suite, one after the other, until a stage
 * fails. Arguments go to jest (`npm test -- packages/core`): then only the selected tests run after the set-up.
 * With SIGIL_REQUIRE_ALL=1 a skipped test is a failure.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { judgeReport, needOf, withoutNeed } from './judge-report.mjs';
import { prepare, root, runScript } from './prepare.mjs';
import { runNode } from './run-command.mjs';

/** Tools and services that tests need and a machine may lack, with the command that installs each. */
const supplies = JSON.parse(readFileSync(join(root, 'test', 'support', 'supplies', 'supplies.json'), 'utf8'));

/** Arguments for jest: patterns, `-t`, `--findRelatedTests` and the like. */
const filter = process.argv.slice(2);
/** Arguments that jest answers without running a test. */
const questions = ['--listTests', '--showConfig', '--clearCache', '--version', '-v', '--help', '-h'];
/** The folder of the user: npm runs scripts in the folder of the package. */
const here = process.env.INIT_CWD ?? process.cwd();
const requireAll = process.env.SIGIL_REQUIRE_ALL === '1';
const bin = (...path) => join(root, 'node_modules', ...path);

const everyStage = [
  { name: 'set-up', run: () => prepare().then(() => 0) },
  { name: 'lint', run: lint },
  { name: 'types', run: checkTypes },
  { name: 'tests', run: runTests },
  { name: 'conformance', run: runConformance },
];
const chosen = ['set-up', 'tests'];
const stages = filter.length > 0 ? everyStage.filter(({ name }) => chosen.includes(name)) : everyStage;

/** The counts of jest, after it has run. */
const counts = { passed: 0, failed: 0, skipped: 0, known: false };

await runScript(async () => {
  if (process.env.MCP_SCHEMA_DIR) process.env.MCP_SCHEMA_DIR = resolve(here, process.env.MCP_SCHEMA_DIR);
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

/** In two lanes, which take as long as the longer one. */
async function lint() {
  const folders = ['packages', 'apps', 'bench', 'test', '--config', '.dependency-cruiser.cjs'];
  const lanes = [
    [[bin('eslint', 'bin', 'eslint.js'), ['.', '--max-warnings', '0']]],
    [
      [bin('dependency-cruiser', 'bin', 'dependency-cruise.mjs'), folders],
      [bin('prettier', 'bin', 'prettier.cjs'), ['--check', '--log-level', 'warn', '.']],
      [join(root, 'scripts', 'plain-english.mjs'), []],
      [join(root, 'scripts', 'one-name.mjs'), []],
    ],
  ];
  const codes = await Promise.all(lanes.map(inTurn));
  return codes.flat().find((code) => code !== 0) ?? 0;
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

async function checkTypes() {
  const tsc = bin('typescript', 'bin', 'tsc');
  const { code } = await runNode(tsc, ['-p', 'tsconfig.test.json'], { cwd: root });
  // The page of sigil dev, whose types are in its comments.
  const page = await runNode(tsc, ['-p', 'packages/cli/page'], { cwd: root });
  return code || page.code;
}

async function runTests() {
  const jest = bin('jest', 'bin', 'jest.js');
  if (filter.some((arg) => questions.includes(arg))) return (await runNode(jest, filter, { cwd: root })).code;
  const folder = mkdtempSync(join(tmpdir(), 'sigil-test-'));
  const report = join(folder, 'report.json');
  try {
    const { code } = await runNode(jest, ['--json', '--outputFile', report, ...filter], { cwd: root });
    const told = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined;
    return told?.testResults ? judge(told, code) : code || 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The server with each adapter, then the client. */
async function runConformance() {
  for (const args of [[], ['--fetch']]) {
    const { code } = await runNode(join(root, 'test', 'judges', 'conformance', 'run.mjs'), args);
    if (code !== 0) return code;
  }
  const { code } = await runNode(join(root, 'test', 'judges', 'conformance', 'run-client.mjs'), []);
  return code;
}

function judge(report, code) {
  const { passed, failed, skipped } = judgeReport(report, filter);
  Object.assign(counts, { passed, failed, skipped: skipped.length, known: true });
  nameSkipped(skipped);
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
  if (counts.known) say(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
}

function say(line, result) {
  process.stdout.write(`${line}\n`);
  return result;
}
