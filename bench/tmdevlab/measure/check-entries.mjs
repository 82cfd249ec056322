/** Whether each entry fulfils the contract: one iteration of one user, every answer right, and what has to be refused is. */
import { say } from '../../../test/measures/bench/report.mjs';
import { Counts } from '../load/counts.mjs';
import { User } from '../load/user.mjs';
import { missingRefusals } from './refusals.mjs';
import { startEntry } from './served-entry.mjs';

/** Requests of an iteration: three for each of four conversations, and one more to end a session. */
const ON_WIRE = { sessions: 16, none: 12 };

/** @returns the exit code: 1 if one of them does not */
export async function checkEntries(entries, env) {
  let failed = 0;
  for (const entry of entries) {
    const problem = await checkEntry(entry, env);
    if (problem !== undefined) failed += 1;
    say(
      `${problem === undefined ? 'ok    ' : 'FAILED'} ${nameOf(entry)}${problem === undefined ? '' : `: ${problem}`}`,
    );
  }
  return failed === 0 ? 0 : 1;
}

/** @returns what is wrong */
export async function checkEntry(entry, env) {
  const server = await startEntry(entry, env);
  try {
    const counts = new Counts();
    const user = new User(42, server.port, counts);
    await user.iterate();
    user.close();
    const { onWire, wrong } = counts.read();
    const expected = entry.hasSessions ? ON_WIRE.sessions : ON_WIRE.none;
    if (wrong > 0) return `${wrong} wrong answers`;
    if (onWire !== expected) return `${onWire} requests in place of ${expected}`;
    const missing = entry.checks ? await missingRefusals(server.port, entry.hasSessions) : [];
    return missing.length === 0 ? undefined : `does not refuse ${missing.join(', ')}`;
  } finally {
    await server.stop();
  }
}

function nameOf({ name, hasSessions }) {
  return `${name}, ${hasSessions ? 'sessions' : 'no sessions'}`;
}
