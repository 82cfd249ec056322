/** Loads a program once in a process of its own: for what is made of it, or known of it, before it starts. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Milliseconds that a program may take to load. */
const LONGEST_LOAD = 60_000;
/** Characters of its output that are kept: the last ones. */
const KEPT = 16_384;

/**
 * Runs Node with a program.
 * @param args of Node
 * @param where its folder and its environment
 * @returns undefined if it ended well, and otherwise what it printed
 * @throws the reason of the signal
 */
export async function loadOnce(
  args: readonly string[],
  signal: AbortSignal,
  { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<string | undefined> {
  // Node 20 collects a timeout that only another signal refers to: `late` is needed below.
  const late = AbortSignal.timeout(LONGEST_LOAD);
  const timeout = AbortSignal.any([signal, late]);
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  const end = (): void => void child.kill('SIGKILL');
  timeout.addEventListener('abort', end, { once: true });
  let said = '';
  child.stderr.on('data', (text) => (said = (said + String(text)).slice(-KEPT)));
  const [status] = (await once(child, 'close')) as [number | null];
  timeout.removeEventListener('abort', end);
  signal.throwIfAborted();
  if (status === 0) return undefined;
  return said.trim() || (late.aborted ? 'It did not start in time.' : 'It ended without a message.');
}
