/** What the time of each entry is spent on. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { say } from '../../../test/measures/bench/report.mjs';
import { runLoad } from './play-entries.mjs';
import { readProfile } from './read-profile.mjs';
import { startEntry } from './served-entry.mjs';

const PRELOADED = fileURLToPath(new URL('./profile-at-signals.cjs', import.meta.url));
const FUNCTIONS = 60;
/** Below that a figure is noise. */
const LEAST = 0.3;

/** Prints microseconds of each counted request by package and by function. @returns the exit code */
export async function profileEntries(entries, env, load) {
  for (const entry of entries) {
    const { cost, profile } = await profileEntry(entry, env, load);
    const { groups, own, within } = readProfile(profile);
    say(
      `\n${entry.name}, ${entry.hasSessions ? 'sessions' : 'no sessions'}: ${cost.toFixed(0)} µs for each counted request`,
    );
    writeShares('packages', groups, cost);
    writeShares('functions alone', own.slice(0, FUNCTIONS), cost);
    const scripts = within.filter(({ name }) => name.includes(':') && !name.includes(' node:'));
    writeShares('functions with what they call', scripts.slice(0, FUNCTIONS), cost);
  }
  return 0;
}

async function profileEntry(entry, env, load) {
  const folder = mkdtempSync(join(tmpdir(), 'sigil-profile-'));
  const file = join(folder, 'server.cpuprofile');
  const server = await startEntry(entry, { ...env, PROFILE_FILE: file }, ['--require', PRELOADED]);
  try {
    const job = { ...load, port: server.port, pid: server.pid };
    await runLoad({ ...job, seconds: 1 });
    process.kill(server.pid, 'SIGUSR2');
    await pause(500);
    const { cost } = await runLoad({ ...job, warmUp: 0, warmRequests: 0 });
    await server.stop('SIGUSR2');
    return { cost, profile: JSON.parse(readFileSync(file, 'utf8')) };
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeShares(title, shares, cost) {
  say(`  ${title}`);
  for (const { name, share } of shares)
    if (share * cost >= LEAST) say(`    ${(share * cost).toFixed(1).padStart(7)}  ${name}`);
}
