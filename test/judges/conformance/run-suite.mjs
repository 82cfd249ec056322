/** Runs the official suite against a server, and reads what it found. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const shim = new URL('./node20-shim.mjs', import.meta.url).href;
const suite = fileURLToPath(
  new URL('../../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);

/**
 * Returns the suite's exit code, its output, and its checks by scenario: `Map<scenario, { id, status, errorMessage }[]>`.
 * @param args what to run, in the suite's own options
 */
export async function runSuite(url, args) {
  const folder = mkdtempSync(join(tmpdir(), 'sigil-conformance-'));
  try {
    const command = ['--import', shim, suite, 'server', '--url', url, '-o', folder, ...args];
    const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    const [code] = await once(child, 'close');
    return { code, output, scenarios: readScenarios(folder) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The suite leaves one folder for each scenario: `server-<name>-<time>`. */
function readScenarios(folder) {
  const found = readdirSync(folder).map((entry) => {
    const [, name] = /^server-(.+)-\d{4}-\d\d-\d\dT[\w-]+Z$/.exec(entry) ?? [undefined, entry];
    return [name, JSON.parse(readFileSync(join(folder, entry, 'checks.json'), 'utf8'))];
  });
  return new Map(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}
