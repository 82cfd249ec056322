/** Time limits as options give them. */
import type { ReportProblem } from '../errors/definition-error';
import { isTimeLimit, TIME_LIMIT_WORDS } from '../values/time-limit';

/** Whether a time limit can be used, or there is none; reports one that cannot. */
export function checkTimeout(milliseconds: number | undefined, where: string, report: ReportProblem): boolean {
  if (milliseconds === undefined || isTimeLimit(milliseconds)) return true;
  report({
    code: 'SIGIL_TOOL_TIMEOUT',
    where,
    what: `${String(milliseconds)} is no time limit.`,
    mend: TIME_LIMIT_WORDS,
  });
  return false;
}
