/** Sigil beside the least that Node can do, a server written by hand that checks the same, and the official SDK. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { nodeOnCore } from '../http/server-process.mjs';
import { STARTED_TOOLS, TO_BE_BUNDLED } from './contestants.mjs';
import { sigilCommand } from './sigil-command.mjs';

const LOAD_CORE = 1;
const bundleAt = (name) =>
  fileURLToPath(new URL(`../../../../node_modules/.cache/sigil-bench/${name}.cjs`, import.meta.url));

/**
 * Plays a part in a process of its own, so that its core is that of the load and of nothing else.
 * @param {'calls' | 'start' | 'http'} part
 * @param {{ rounds: number, seconds: number }} how seconds of each load
 */
export async function measureContest(part, how) {
  const job = JSON.stringify({ part, ...how, bundles: part === 'start' ? makeBundles() : undefined });
  const program = fileURLToPath(new URL('./play.mjs', import.meta.url));
  const child = nodeOnCore(LOAD_CORE, [program, job], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (data) => (text += data));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`The part ${part} could not be measured.`);
  return JSON.parse(text);
}

/** With `sigil build`, as a user makes them. What is stored for a fast start is that of one server: there is one for each number of tools. */
function makeBundles() {
  const fast = STARTED_TOOLS.map((tools) => [tools, build(`sigil-stdio-${tools}`, { tools }, ['--fast-start'])]);
  return { plain: build('sigil-stdio', {}, []), fastStart: Object.fromEntries(fast) };
}

function build(name, order, options) {
  const bundle = bundleAt(name);
  const env = { ...process.env, SIGIL_BENCH_ORDER: JSON.stringify(order) };
  const words = [sigilCommand(), 'build', TO_BE_BUNDLED, ...options, '--out', bundle];
  execFileSync(process.execPath, words, { stdio: 'ignore', env });
  return bundle;
}
