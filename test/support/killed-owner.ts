/** Locks of processes that were killed while they had them. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The lock as the set-up of the repository loads it: a process needs nothing but Node for it. */
export const LOCK_MODULE = pathToFileURL(join(__dirname, '..', '..', 'scripts', 'file-lock.mjs')).href;

const PROGRAM = `
  import(process.argv[1]).then(({ FileLock }) => {
    FileLock.take(process.argv[2]);
    process.kill(process.pid, 'SIGKILL');
  });`;

/** Lets a process take a lock and die with it. @returns its number */
export function leaveLock(path: string): number {
  return spawnSync(process.execPath, ['-e', PROGRAM, LOCK_MODULE, path]).pid;
}
