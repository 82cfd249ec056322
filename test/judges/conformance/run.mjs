/**
 * The official conformance suite against apps/everything over HTTP: what two revisions require, and the scenarios of the
 * older ones on their own wires. Exits with 1 for an unexpected failure, and for an expected one that passes.
 *
 * `node run.mjs --fetch` judges the fetch adapter in the same way. `node run.mjs <url> <revision>...` judges a server that is there
 * already, by what these revisions require.
 */
import { fileURLToPath } from 'node:url';
import { startEverything } from './everything-server.mjs';
import { isClean, judge, readExpected } from './judge.mjs';
import { openOlderWire } from './older-wire.mjs';
import { runSuite } from './run-suite.mjs';

const expectedFile = fileURLToPath(new URL('./expected-failures.yml', import.meta.url));
const expected = readExpected(expectedFile);
/** The oldest revision whose scenarios the suite has as a whole. */
const SCENARIOS_OF = '2025-06-18';
const OLDER_WIRES = ['2025-06-18', '2025-03-26', '2024-11-05'];
/** Scenarios of an extension that no list of requirements has. */
const SKILLS = ['sep-2640-skills-directory', 'sep-2640-skills-enumeration', 'sep-2640-skills-manifest'];
/** What a revision does not have, so that its absence is right. */
const ABSENT = {
  '2025-03-26': ['tools-call-elicitation'],
  '2024-11-05': ['tools-call-elicitation', 'tools-call-audio'],
};

const isFetch = process.argv[2] === '--fetch';
const [url, ...named] = process.argv.slice(isFetch ? 3 : 2);
const server =
  url === undefined ? await startEverything(isFetch ? '--fetch' : '--http') : { url, stop: () => undefined };
const clean = [];
try {
  for (const revision of url === undefined ? ['2025-11-25', '2026-07-28'] : named)
    clean.push(await runRequirements(revision));
  if (url === undefined) for (const version of OLDER_WIRES) clean.push(await runOlderWire(version));
  if (url === undefined) clean.push(await runExtension('skills', SKILLS));
} finally {
  await server.stop();
}
process.exitCode = clean.every(Boolean) ? 0 : 1;

async function runRequirements(revision) {
  const args = ['--requirements', revision, '--expected-failures', expectedFile];
  const { code, output, scenarios } = await runSuite(server.url, args);
  const verdicts = judge(scenarios, expected);
  report(`requirements of ${revision}`, verdicts);
  if (code === 0 || !isClean(verdicts)) return code === 0 && isClean(verdicts);
  // The suite found something that we did not.
  process.stdout.write(output);
  return false;
}

async function runOlderWire(version) {
  const wire = await openOlderWire(server.url, version);
  try {
    const { output, scenarios } = await runSuite(wire.url, ['--suite', 'all', '--spec-version', SCENARIOS_OF]);
    const verdicts = judge(scenarios, new Set([...expected, ...(ABSENT[version] ?? [])]));
    const settled = [...wire.negotiated].join(', ');
    if (settled !== version)
      verdicts.failed.push(`the server settled on ${settled || 'nothing'} instead of ${version}`);
    if (!output.includes('=== SUMMARY ===')) verdicts.failed.push(`the suite broke off: ${output.slice(-500)}`);
    report(`scenarios of ${SCENARIOS_OF} on the wire of ${version}`, verdicts);
    return isClean(verdicts);
  } finally {
    await wire.stop();
  }
}

/** Each scenario has to run and to check something: the suite skips those of extensions that a server does not declare. */
async function runExtension(name, wanted) {
  const scenarios = new Map();
  let output = '';
  for (const scenario of wanted) {
    const run = await runSuite(server.url, ['--scenario', scenario]);
    output += run.output;
    for (const [found, checks] of run.scenarios) scenarios.set(found, checks);
  }
  const verdicts = judge(scenarios, expected);
  for (const scenario of wanted)
    if (verdicts.skipped.includes(scenario) || !scenarios.has(scenario))
      verdicts.failed.push(`${scenario} did not run: ${output.slice(-500)}`);
  report(`scenarios of ${name}`, verdicts);
  return isClean(verdicts);
}

function report(title, { passed, skipped, expected: excused, failed, stale }) {
  const total = passed.length + excused.length + failed.length;
  process.stdout.write(`\n${title}: ${passed.length} of ${total} scenarios pass\n`);
  list('passed', passed);
  list('nothing to check', skipped);
  list('fails as expected', excused);
  list('FAILED', failed);
  list('PASSES NOW, remove it from expected-failures.yml', stale);
}

function list(title, names) {
  if (names.length > 0) process.stdout.write(`  ${title} (${names.length}): ${names.join(', ')}\n`);
}
