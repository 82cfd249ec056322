/** Loads a program in a process of its own while it is built. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Milliseconds that a program may take to load. */
const LONGEST_LOAD = 60_000;

/**
 * Runs a script of the command line that loads a program.
 * @returns undefined if it ended well, and otherwise what it printed
 * @throws the reason of the signal
 */
export async function loadOnce(
  script: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  // Node 20 collects a timeout that only another signal refers to: `late` is needed below.
  const late = AbortSignal.timeout(LONGEST_LOAD);
  const timeout = AbortSignal.any([signal, late]);
  const child = spawn(process.execPath, ['-e', script, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  const end = (): void => void child.kill('SIGKILL');
  timeout.addEventListener('abort', end, { once: true });
  let said = '';
  child.stderr.on('data', (text) => (said += String(text)));
  const [status] = (await once(child, 'close')) as [number | null];
  timeout.removeEventListener('abort', end);
  signal.throwIfAborted();
  if (status === 0) return undefined;
  return said.trim() || (late.aborted ? 'It did not start in time.' : 'It ended without a message.');
}
