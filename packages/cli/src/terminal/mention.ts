/** Reports problems that do not end the command. */
import { reasonOf } from '../failure';
import { Shell } from './shell';

/** Prints a problem on stderr; the command continues. @param shell of the command; that of the process if left out */
export function mention(error: unknown, shell = new Shell()): void {
  shell.report(`sigil: ${reasonOf(error)}`);
}
