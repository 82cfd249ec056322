/** Text that a program wrote to stdout, which belongs to the protocol: one line on stderr behind a mark, with the stack of the call. */
import { objectIn } from '../json-object';

/** The beginning of the line; it begins with a character that no log contains. */
export const STRAY_MARK = '\u001esigil-stray:';

/** The first text that the program wrote. */
export interface StrayText {
  readonly text: string;
  /** The stack as Node writes it, with the positions in the sources. */
  readonly stack: string;
}

/** The text that a line of stderr reports; undefined for every other line. */
export function readStray(line: string): StrayText | undefined {
  const read = line.startsWith(STRAY_MARK) ? objectIn(line.slice(STRAY_MARK.length)) : undefined;
  // Written by report-stray.ts, in the process that we started.
  return read as StrayText | undefined;
}
