/** Work that blocks the thread: at a terminal, a line names it beforehand, because nothing can be drawn meanwhile. */
import { show } from './outlet';
import { ERASE_LINE } from './status-line';
import { stylesFor } from './styles';

/** Shows a line on stderr. @returns removes it */
export function showBlocked(what: string): () => void {
  const { stderr } = process;
  if (!stderr.isTTY) return () => undefined;
  show(stderr, stylesFor(stderr).dim(`${what} …`));
  return () => show(stderr, ERASE_LINE);
}

/** Shows a line on stderr while work blocks the thread. @param what such as "Compiling" */
export function whileBlocked<Result>(what: string, work: () => Result): Result {
  const remove = showBlocked(what);
  try {
    return work();
  } finally {
    remove();
  }
}
