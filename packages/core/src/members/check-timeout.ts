/** Checks the time limits of options. */
import { problem } from '../errors/catalogue';
import type { ReportProblem } from '@sigil-mcp/base';
import { isTimeLimit } from '../values/time-limit';

/** Whether a time limit is valid, or left out; reports one that is not. */
export function checkTimeout(milliseconds: number | undefined, where: string, report: ReportProblem): boolean {
  if (milliseconds === undefined || isTimeLimit(milliseconds)) return true;
  report(problem('SIGIL_TOOL_TIMEOUT', where, { timeout: String(milliseconds) }));
  return false;
}
