/** Reports problems that do not end the command. */
import { reasonOf } from '../failure';
import { report } from './outlet';

/** Prints a problem on stderr; the command continues. */
export function mention(error: unknown): void {
  report(`sigil: ${reasonOf(error)}`);
}
