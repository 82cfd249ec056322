/** Ends a program that was started for a command: asks it first, then kills it with all of its children. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { settleWithin, systemClock, type Clock } from '@sigil-mcp/core/adapter';

/** Milliseconds for each step. */
const PATIENCE = 1_500;

/** Closes a program's input, then asks it to end, then kills it; resolves when it and its group have ended. */
export async function endProcess(child: ChildProcess, clock: Clock = systemClock): Promise<void> {
  if (child.pid === undefined) return;
  child.stdin?.end();
  if (await hasEnded(child, clock)) return void signal(child.pid, 'SIGTERM');
  signal(child.pid, 'SIGTERM');
  if (await hasEnded(child, clock)) return void signal(child.pid, 'SIGKILL');
  signal(child.pid, 'SIGKILL');
  await hasEnded(child, clock);
  // A grandchild outside of the group may hold the pipes open; it is not waited for.
  for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe?.destroy();
}

async function hasEnded(child: ChildProcess, clock: Clock): Promise<boolean> {
  const over = (): boolean => child.exitCode !== null || child.signalCode !== null;
  if (over()) return true;
  const settled = new AbortController();
  await settleWithin(PATIENCE, once(child, 'exit', { signal: settled.signal }), clock);
  settled.abort();
  return over();
}

/** Signals the process group of the program; on Windows only the program. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, name);
  } catch {
    // It has ended already.
  }
}
