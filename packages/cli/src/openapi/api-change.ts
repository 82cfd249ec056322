/** One file that a run changes. */
import type { FileChange } from '../add/write-changes';

/** A file with its text before; undefined if it is new. */
export interface ApiChange extends FileChange {
  readonly before: string | undefined;
}
