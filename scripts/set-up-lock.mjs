/** Prevents two set-ups of one working copy, for example in two terminals, from installing or building at the same time. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { clearInterval, setInterval } from 'node:timers';
import { setTimeout as delay } from 'node:timers/promises';
import { FileLock, RENEWAL } from './file-lock.mjs';

/** The name of the lock in its folder. */
export const LOCK = 'set-up.lock';
/** Milliseconds between two attempts. */
const PACE = 200;

/** Waits until no other running process holds the lock in `folder`, takes it, and returns the function that releases it. */
export async function holdSetUpLock(folder) {
  mkdirSync(folder, { recursive: true });
  const take = () => FileLock.take(join(folder, LOCK));
  let lock = take();
  if (!(lock instanceof FileLock)) process.stderr.write('set-up: waiting for another set-up of this folder\n');
  for (; !(lock instanceof FileLock); lock = take()) await delay(PACE);
  const held = lock;
  const renewal = setInterval(() => held.renew(), RENEWAL).unref();
  return () => {
    clearInterval(renewal);
    held.release();
  };
}
