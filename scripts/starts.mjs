/**
 * `npm run starts`: the size of the bundles that `sigil build` makes of apps/weather (three tools, resources and prompts), and the CPU time
 * until the server in each is ready, without the time of Node itself. Then the same for servers over stdio (stdio-starts.mjs).
 * `-- --runs 21` for more runs; medians are printed.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './prepare.mjs';
import { stdioStarts } from './stdio-starts.mjs';

const CLI = join(root, 'packages', 'cli', 'dist', 'main.js');
const APP = join(root, 'apps', 'weather', 'dist');
const asked = process.argv.indexOf('--runs');
const runs = asked < 0 ? 11 : Number(process.argv[asked + 1]);
const folder = mkdtempSync(join(tmpdir(), 'sigil-starts-'));

/** What is measured: a bundle of the command line, and whether Node can load it. */
const BUNDLES = [
  { title: '--target node', entry: 'lambda.js', options: [], out: 'node.cjs' },
  {
    title: '--target node --fast-start',
    entry: 'lambda.js',
    options: ['--fast-start'],
    out: 'fast.cjs',
    code: 'fast.code.cjs',
  },
  { title: '--target lambda', entry: 'lambda.js', options: ['--target', 'lambda'], out: 'lambda.cjs' },
  {
    title: '--target lambda --registry-data',
    entry: 'lambda.js',
    options: ['--target', 'lambda', '--registry-data'],
    out: 'data.cjs',
  },
  {
    title: '--target lambda --code-cache',
    entry: 'lambda.js',
    options: ['--target', 'lambda', '--code-cache'],
    out: 'cached.cjs',
    code: 'cached.code.cjs',
  },
  {
    title: '--target worker',
    entry: 'worker.js',
    options: ['--target', 'worker'],
    out: 'worker.mjs',
    isForWorkers: true,
  },
];

/** Prints the milliseconds of CPU that a process has taken when it is ready, and when it has answered. */
const MEASURE = `const spent = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
const headers = { host: 'a.example', 'content-type': 'application/json', accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' };
const event = { rawPath: '/mcp', headers, body: JSON.stringify(message), requestContext: { http: { method: 'POST' } } };
const times = [spent()];
const { handler } = process.argv[1] ? require(process.argv[1]) : { handler: undefined };
const print = () => process.stdout.write(JSON.stringify(times), () => process.exit());
if (!handler) { times.push(spent(), spent()); print(); }
else handler.ready.then(async () => { times.push(spent()); await handler(event); times.push(spent()); print(); });`;

function median(numbers) {
  return [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)];
}

/** Medians of the CPU time, in milliseconds. */
function measure(file) {
  const all = Array.from({ length: runs }, () =>
    JSON.parse(
      execFileSync(process.execPath, ['-e', MEASURE, ...(file ? [file] : [])], { stdio: ['ignore', 'pipe', 'ignore'] }),
    ),
  );
  return {
    before: median(all.map(([before]) => before)),
    ready: median(all.map(([before, ready]) => ready - before)),
    answer: median(all.map(([, ready, answered]) => answered - ready)),
  };
}

try {
  const rows = BUNDLES.map(({ title, entry, options, out, code, isForWorkers }) => {
    const file = join(folder, out);
    execFileSync(process.execPath, [CLI, 'build', join(APP, entry), ...options, '--out', file], { stdio: 'ignore' });
    const kilobytes = Math.ceil(statSync(join(folder, code ?? out)).size / 1000);
    if (isForWorkers) return `| \`${title}\` | ${kilobytes} kB | | |`;
    const { ready, answer } = measure(file);
    return `| \`${title}\` | ${kilobytes} kB | ${ready.toFixed(0)} ms | ${answer.toFixed(0)} ms |`;
  });
  const { before } = measure(undefined);
  process.stdout.write(
    ['| bundle | size | until it is ready | the first answer |', '| --- | --- | --- | --- |', ...rows].join('\n') +
      `\n\nCPU time, medians of ${runs} runs, in addition to the ${before.toFixed(0)} ms of Node ${process.version} itself.\n`,
  );
  process.stdout.write(`\nCPU time of a whole run over stdio:\n\n${stdioStarts(folder, runs).join('\n')}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
