/** Sigil beside the least that Node can do, a server written by hand that checks the same, and the official SDK. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { nodeOnCore } from '../http/server-process.mjs';
import { TO_BE_BUNDLED } from './contestants.mjs';
import { sigilCommand } from './sigil-command.mjs';

const LOAD_CORE = 1;
const bundle = fileURLToPath(new URL('../../../../node_modules/.cache/sigil-bench/sigil-stdio.cjs', import.meta.url));

/**
 * Plays a part in a process of its own, so that its core is that of the load and of nothing else.
 * @param {'calls' | 'start' | 'http'} part
 * @param {{ rounds: number, seconds: number }} how seconds of each load
 */
export async function measureContest(part, how) {
  if (part === 'start') makeBundle();
  const job = JSON.stringify({ part, ...how, bundled: bundle });
  const program = fileURLToPath(new URL('./play.mjs', import.meta.url));
  const child = nodeOnCore(LOAD_CORE, [program, job], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (data) => (text += data));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`The part ${part} could not be measured.`);
  return JSON.parse(text);
}

/** With `sigil build`, as a user makes one. */
function makeBundle() {
  execFileSync(process.execPath, [sigilCommand(), 'build', TO_BE_BUNDLED, '--out', bundle], { stdio: 'ignore' });
}
