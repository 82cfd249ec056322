/**
 * The second table of `npm run starts`: the CPU time of a whole run over stdio, in which a server starts, answers `initialize` and ends, from
 * node_modules and from bundles. On Node 22.8 and newer also with the code that Node itself stores.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as nodeModule from 'node:module';
import { root } from './prepare.mjs';

const CLI = join(root, 'packages', 'cli', 'dist', 'main.js');
const SERVER = join(root, 'test', 'programs', 'e2e', 'fixtures', 'start-server.cjs');
const TOOLS = [3, 1000];
const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'starts', version: '1' } };
const OPENING = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`;

/** Writes the milliseconds of CPU that all threads of the process took to stderr when it ends. */
const METER = `process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  require('node:fs').writeSync(2, String((user + system) / 1000));
});`;

/** The rows of the table, in interleaved rounds; medians. */
export function stdioStarts(folder, runs) {
  const meter = join(folder, 'meter.cjs');
  writeFileSync(meter, METER);
  const cache = join(folder, 'compile-cache');
  mkdirSync(cache);
  const rows = rowsOf(folder, nodeModule.enableCompileCache ? cache : undefined);
  const runOf = ({ files, stored }, index) => {
    const env = { ...process.env, SIGIL_TEST_TOOLS: String(TOOLS[index]) };
    if (stored) env.NODE_COMPILE_CACHE = stored;
    const options = { input: OPENING, encoding: 'utf8', env };
    return Number(spawnSync(process.execPath, ['--require', meter, files[index]], options).stderr);
  };
  // The first run stores the code.
  for (const row of rows) TOOLS.forEach((_, index) => runOf(row, index));
  const rounds = Array.from({ length: runs }, () => rows.map((row) => TOOLS.map((_, index) => runOf(row, index))));
  const shown = (row, index) => `${median(rounds.map((round) => round[row][index])).toFixed(0)} ms`;
  const lines = rows.map(
    ({ title }, row) => `| ${title} | ${TOOLS.map((_, index) => shown(row, index)).join(' | ')} |`,
  );
  return [`| Node ${process.version} | 3 tools | 1,000 tools |`, '| --- | --- | --- |', ...lines];
}

function rowsOf(folder, cache) {
  const nothing = join(folder, 'nothing.cjs');
  writeFileSync(nothing, '');
  const rows = [
    { title: 'Node alone', files: TOOLS.map(() => nothing) },
    { title: 'from `node_modules`', files: TOOLS.map(() => SERVER) },
    { title: '`sigil build`', files: buildAll(folder, []) },
    { title: '`sigil build --registry-data`', files: buildAll(folder, ['--registry-data']) },
    { title: '`sigil build --fast-start`', files: buildAll(folder, ['--fast-start']) },
  ];
  const storing = cache === undefined ? [] : rows.slice(1, 4);
  return [...rows, ...storing.map((row) => ({ ...row, title: `${row.title}, NODE_COMPILE_CACHE`, stored: cache }))];
}

/** A bundle for each number of tools. */
function buildAll(folder, words) {
  return TOOLS.map((tools) => {
    const out = join(folder, `stdio${words.join('')}-${tools}.cjs`);
    const env = { ...process.env, SIGIL_TEST_TOOLS: String(tools) };
    execFileSync(process.execPath, [CLI, 'build', SERVER, ...words, '--out', out], { stdio: 'ignore', env });
    return out;
  });
}

function median(numbers) {
  return [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)];
}
