/** Prevents two set-ups of one working copy, for example in two terminals, from installing or building at the same time. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Waits until no other running process holds the lock in `folder`, takes it, and returns the function that releases it. */
export async function holdSetUpLock(folder) {
  const file = join(folder, 'set-up.lock');
  mkdirSync(folder, { recursive: true });
  for (let tries = 0; !take(file); tries += 1) {
    if (tries === 0) process.stderr.write('set-up: waiting for another set-up of this folder\n');
    await delay(200);
  }
  return () => rmSync(file, { force: true });
}

function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (!isHeld(file)) rmSync(file, { force: true });
    return false;
  }
}

function isHeld(file) {
  try {
    const holder = Number(readFileSync(file, 'utf8'));
    if (!holder) return true; // the lock is being written
    process.kill(holder, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
