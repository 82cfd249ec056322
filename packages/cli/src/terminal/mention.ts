/** What goes wrong beside the command. */
import { reasonOf } from '../failure';
import { report } from './outlet';

/** Says on stderr what went wrong beside the command, which goes on. */
export function mention(error: unknown): void {
  report(`sigil: ${reasonOf(error)}`);
}
