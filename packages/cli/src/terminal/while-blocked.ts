/** Work that blocks the thread: at a terminal, a line names it beforehand, because nothing can be drawn meanwhile. */
import { show } from './outlet';
import type { Shell } from './shell';
import { ERASE_LINE } from './status-line';

/** Shows a line on stderr. @returns removes it */
export function showBlocked({ stderr, errorStyles }: Shell, what: string): () => void {
  if (!stderr.isTTY) return () => undefined;
  show(stderr, errorStyles.dim(`${what} …`));
  return () => show(stderr, ERASE_LINE);
}

/** Shows a line on stderr while work blocks the thread. @param what such as "Compiling" */
export function whileBlocked<Result>(shell: Shell, what: string, work: () => Result): Result {
  const remove = showBlocked(shell, what);
  try {
    return work();
  } finally {
    remove();
  }
}
