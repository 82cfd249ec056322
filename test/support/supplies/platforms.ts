/** The programs of platforms that are not Node, as `npm run platforms` installs them: workerd, Deno and Bun. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const programs = join(__dirname, '..', '..', '..', '.sigil', 'platforms', 'node_modules', '.bin');

/** The path of a program. */
export function platformProgram(name: 'workerd' | 'deno' | 'bun'): string {
  return join(programs, process.platform === 'win32' ? `${name}.cmd` : name);
}

/** Whether all of them are there, and run on this machine. */
export function hasPlatforms(): boolean {
  const shell = process.platform === 'win32';
  return (['workerd', 'deno', 'bun'] as const).every(
    (name) => spawnSync(platformProgram(name), ['--version'], { shell }).status === 0,
  );
}
