/** Results on stdout, which contains nothing else. */
import type { Shell } from '../terminal/shell';
import { SavedFiles } from './saved-files';
import type { Destination } from './show-content';

/** Stdout as the destination of results. @param folder for files, as it was typed */
export function stdoutDestination(shell: Shell, folder: string): Destination {
  return { files: new SavedFiles(shell, folder), styles: shell.styles, isTerminal: shell.stdout.isTTY === true };
}
