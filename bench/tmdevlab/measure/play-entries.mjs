/** All entries in each round, each time as a new process, because processes of one program go at different speeds. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { playRounds } from '../../../test/measures/bench/contest/rounds.mjs';
import { startEntry } from './served-entry.mjs';

const LOAD = fileURLToPath(new URL('../load/load.mjs', import.meta.url));

/** @returns each entry with its figures round by round */
export async function playEntries(entries, env, { rounds, ...load }) {
  const played = await playRounds(entries, rounds, (entry) => playEntry(entry, env, load));
  return played.map(({ rounds: own }, index) => ({ ...entries[index], rounds: own }));
}

async function playEntry(entry, env, load) {
  const server = await startEntry(entry, env);
  try {
    return await runLoad({ ...load, port: server.port, pid: server.pid });
  } finally {
    await server.stop();
  }
}

/** Runs one load in a process of its own, on the core of this one. */
export async function runLoad(job) {
  const child = spawn(process.execPath, [LOAD, JSON.stringify(job)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (data) => (text += data));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`The load ended with exit code ${code}.`);
  return JSON.parse(text);
}
