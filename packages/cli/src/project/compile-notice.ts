/** A line at a terminal while the compiler works, which may take seconds. */
import { show } from '../terminal/outlet';
import { ERASE_LINE } from '../terminal/status-line';
import { stylesFor } from '../terminal/styles';
import { findProject } from './find-project';
import { shownPath } from './shown-path';
import { dirname } from 'node:path';

/** Shows the line on stderr during work; it shows nothing if stderr is not a terminal. */
export async function withNotice<Result>(entry: string, work: () => Promise<Result>): Promise<Result> {
  const { stderr } = process;
  if (!stderr.isTTY) return work();
  show(stderr, stylesFor(stderr).dim(`Compiling ${shownPath(findProject(dirname(entry)).folder, entry)} …`));
  try {
    return await work();
  } finally {
    show(stderr, ERASE_LINE);
  }
}
