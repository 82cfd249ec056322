/** Changes several files or none. */
import { failure } from '../failure';
import { writeFailure, writeFiles } from '../write-files';

/** The whole new content of a file. */
export interface FileChange {
  readonly path: string;
  readonly text: string;
}

/**
 * @param within the folder of the project, that no link leads out of
 * @throws CliFailure if a file cannot be written; all files are then unchanged
 */
export function writeChanges(changes: readonly FileChange[], within: string): void {
  try {
    const files = changes.map(({ path, text }) => ({ path, contents: text }));
    writeFiles(files, { within });
  } catch (error) {
    throw writeFailure(error, (reason) => failure('SIGIL_ADD_UNWRITABLE', { reason }));
  }
}
