/** Why a server did not start: its own words, and only if it has none, ours. */
import type { Crash } from '../causes/crash-report';
import { describeCause, type Cause, type CauseOptions } from '../causes/describe-cause';
import { readProblems } from '../causes/read-problems';
import { tellingLines } from '../causes/last-words';
import { reasonOf } from '../failure';
import { StartFailure } from './start-failure';

/** Lines of a server's output in the message for a client. */
const QUOTED = 5;

/** Explains a failed start. */
export function explainStart(error: unknown, options: CauseOptions): Cause {
  const reason = reasonOf(error);
  if (!(error instanceof StartFailure))
    return { headline: reason, text: reason, problems: [{ message: reason, rest: [] }] };
  const crash = error.crash ?? readProblems(error.lastLines);
  if (crash) return describeCause(crash, options);
  const said = tellingLines(error.lastLines).slice(0, QUOTED);
  return { headline: [reason, ...said].join('\n'), text: reason, problems: [{ message: reason, rest: said }] };
}

/** Whether a server did not start because another process uses its port: perhaps the last version, which still runs. */
export function needsPort(error: unknown): boolean {
  if (!(error instanceof StartFailure)) return false;
  return isPortTaken(error.crash) || error.lastLines.some(namesTakenPort);
}

/** Whether a server ended because another process uses its port. */
export function isPortTaken(crash: Crash | undefined): boolean {
  return crash !== undefined && [crash.message, ...crash.causes].some(namesTakenPort);
}

/** The code of the system, or the one of Sigil's own transports. */
function namesTakenPort(text: string): boolean {
  return /EADDRINUSE|SIGIL_PORT_TAKEN/.test(text);
}
