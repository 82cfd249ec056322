/** Time limits as options give them. */
import { problem, type ReportProblem } from '../errors/definition-error';
import { isTimeLimit } from '../values/time-limit';

/** Whether a time limit can be used, or there is none; reports one that cannot. */
export function checkTimeout(milliseconds: number | undefined, where: string, report: ReportProblem): boolean {
  if (milliseconds === undefined || isTimeLimit(milliseconds)) return true;
  report(problem('SIGIL_TOOL_TIMEOUT', where, { timeout: String(milliseconds) }));
  return false;
}
