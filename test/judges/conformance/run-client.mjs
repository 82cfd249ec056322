/**
 * The client scenarios of the official conformance suite against `@sigil-mcp/client`, in each revision that they apply to. Exits with 1 if a
 * scenario fails.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const shim = new URL('./node20-shim.mjs', import.meta.url).href;
const suite = fileURLToPath(
  new URL('../../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);
const program = fileURLToPath(new URL('./client-program.mjs', import.meta.url));

/** The scenarios that judge the client, and the revisions that they apply to. */
const SCENARIOS = {
  initialize: ['2025-06-18', '2025-11-25'],
  tools_call: ['2025-06-18', '2025-11-25', '2026-07-28'],
  'elicitation-sep1034-client-defaults': ['2025-11-25'],
  'sse-retry': ['2025-11-25'],
  'request-metadata': ['2026-07-28'],
  'sep-2322-client-request-state': ['2026-07-28'],
  'http-standard-headers': ['2026-07-28'],
  'http-custom-headers': ['2026-07-28'],
  'http-invalid-tool-headers': ['2026-07-28'],
  'json-schema-ref-no-deref': ['2026-07-28'],
  'json-schema-2020-12-preservation': ['2025-11-25', '2026-07-28'],
};

/** Why the other client scenarios of the suite are not played, by the beginning of their names. */
const NOT_PLAYED = {
  'auth/': 'signing in with OAuth is the business of the application, which passes tokens to the client',
  'sep-2640-': 'skills are an extension, which the client does not have',
};

const failed = [];
let passed = 0;
const played = Object.entries(SCENARIOS).flatMap(([scenario, versions]) =>
  versions.map((version) => ({ scenario, version })),
);
for (const { scenario, version } of played) {
  const { code, output } = await play(scenario, version);
  // A warning is as bad as a failure; a check that is skipped is not a check.
  const isGood = code === 0 && /Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings/.test(output);
  if (isGood) passed += 1;
  else failed.push(`${scenario} in ${version}:\n${output.slice(-2500)}`);
}

process.stdout.write(`\nclient scenarios: ${passed} of ${played.length} pass\n`);
process.stdout.write(`  played (${Object.keys(SCENARIOS).length}): ${Object.keys(SCENARIOS).join(', ')}\n`);
for (const [name, reason] of Object.entries(NOT_PLAYED)) process.stdout.write(`  not played: ${name}* (${reason})\n`);
for (const each of failed) process.stdout.write(`  FAILED ${each}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function play(scenario, version) {
  const command = `"${process.execPath}" "${program}"`;
  const args = ['--import', shim, suite, 'client', '--command', command, '--scenario', scenario];
  const child = spawn(process.execPath, [...args, '--spec-version', version], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const [code] = await once(child, 'close');
  return { code, output };
}
