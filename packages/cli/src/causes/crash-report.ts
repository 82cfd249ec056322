/**
 * The error that ended a program, from its process to ours: one line on stderr behind a mark. Node's own report of an uncaught error
 * is for reading only, and begins with the line that threw instead of the message.
 */
import { objectIn } from '../json-object';

/** The beginning of the line; it begins with a character that no log contains. */
export const CRASH_MARK = '\u001esigil-crash:';

/** One mistake in the definition of a server, as `DefinitionError` lists it. */
export interface CrashProblem {
  /** Class and member: `NotesFeature.findNote`. */
  readonly where: string;
  readonly problem: string;
  readonly fix: string;
  readonly code: string;
}

/** An error that nothing caught. */
export interface Crash {
  readonly name: string;
  readonly message: string;
  /** The stack as Node writes it, with the positions in the sources. */
  readonly stack: string;
  /** The mistakes of a definition; empty for every other error. */
  readonly problems: readonly CrashProblem[];
  /** The messages of its causes, the nearest first. */
  readonly causes: readonly string[];
  /** The stacks of its causes: an error that wraps another one may have no position of its own. */
  readonly causeStacks?: readonly string[];
}

/** The crash that a line of stderr reports; undefined for every other line. */
export function readCrash(line: string): Crash | undefined {
  const read = line.startsWith(CRASH_MARK) ? objectIn(line.slice(CRASH_MARK.length)) : undefined;
  // Written by report-crash.ts, in the process that we started.
  return read as Crash | undefined;
}
