/** Prevents two set-ups of one working copy, for example in two terminals, from installing or building at the same time. */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Longer than a removal ever takes, milliseconds. */
const REMOVAL_LASTS = 10_000;

/** Waits until no other running process holds the lock in `folder`, takes it, and returns the function that releases it. */
export async function holdSetUpLock(folder) {
  const file = join(folder, 'set-up.lock');
  mkdirSync(folder, { recursive: true });
  let isTold = false;
  while (!take(file)) {
    // A lock that nobody holds is gone at the next try.
    const isWaiting = isHeld(file);
    if (isWaiting && !isTold) process.stderr.write('set-up: waiting for another set-up of this folder\n');
    isTold ||= isWaiting;
    await delay(isWaiting ? 200 : 20);
  }
  return () => rmSync(file, { force: true });
}

function take(file) {
  if (write(file)) return true;
  if (!isHeld(file)) removeStale(file);
  return false;
}

/** Whether the file did not exist, and does now. */
function write(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

/** One process at a time: of two that find a stale lock, the second would otherwise remove the new lock of the first. */
function removeStale(file) {
  const guard = `${file}.removal`;
  if (write(guard)) {
    if (!isHeld(file)) rmSync(file, { force: true });
    rmSync(guard, { force: true });
  } else if ((statSync(guard, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < Date.now() - REMOVAL_LASTS) {
    // Its process was killed in between.
    rmSync(guard, { force: true });
  }
}

function isHeld(file) {
  try {
    const holder = Number(readFileSync(file, 'utf8'));
    // The lock is being written, or its process was killed before it was.
    if (!holder) return (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) > Date.now() - REMOVAL_LASTS;
    process.kill(holder, 0);
    return !isZombie(holder);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Whether a process has ended and nobody has asked how: in a container, that may stay so. */
function isZombie(pid) {
  try {
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false; // a system without /proc
  }
}
