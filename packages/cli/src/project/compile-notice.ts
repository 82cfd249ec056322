/** A line at a terminal while the compiler works, which may take seconds. */
import { dirname } from 'node:path';
import { show } from '../terminal/outlet';
import type { Shell } from '../terminal/shell';
import { ERASE_LINE } from '../terminal/status-line';
import { findProject } from './find-project';
import { shownPath } from './shown-path';

/** Shows the line on stderr during work; it shows nothing if stderr is not a terminal. */
export async function withNotice<Result>(
  { stderr, errorStyles }: Shell,
  entry: string,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!stderr.isTTY) return work();
  show(stderr, errorStyles.dim(`Compiling ${shownPath(findProject(dirname(entry)).folder, entry)} …`));
  try {
    return await work();
  } finally {
    show(stderr, ERASE_LINE);
  }
}
