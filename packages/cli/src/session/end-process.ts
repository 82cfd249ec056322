/** The end of a program that was started for a command: asked first, forced later, with all that it started itself. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** How long a program has for each step of its end, milliseconds. */
const PATIENCE = 1_500;

/** Closes a program's input, then asks it to end, then ends it; resolves when it and its group are gone. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return;
  child.stdin?.end();
  if (await hasEnded(child)) return void signal(child.pid, 'SIGTERM');
  signal(child.pid, 'SIGTERM');
  if (await hasEnded(child)) return void signal(child.pid, 'SIGKILL');
  signal(child.pid, 'SIGKILL');
  await hasEnded(child);
  // A grandchild that left the group may hold the pipes; they are not waited for.
  for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe?.destroy();
}

async function hasEnded(child: ChildProcess): Promise<boolean> {
  const over = (): boolean => child.exitCode !== null || child.signalCode !== null;
  if (over()) return true;
  const settled = new AbortController();
  const exit = once(child, 'exit', { signal: settled.signal }).catch(() => undefined);
  await Promise.race([exit, delay(PATIENCE, undefined, { signal: settled.signal }).catch(() => undefined)]);
  settled.abort();
  return over();
}

/** Signals the whole group that the program leads; on Windows the program alone. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, name);
  } catch {
    // It is gone already.
  }
}
