/** Time limits as options give them. */
import type { ReportProblem } from '../errors/definition-error';

/** Timers of Node hold no more, and fire at once instead. */
const LONGEST = 2 ** 31 - 1;

/** Whether it can be used; what cannot is reported. `Infinity` says that there is no limit. */
export function checkTimeout(milliseconds: number | undefined, where: string, report: ReportProblem): boolean {
  if (milliseconds === undefined || milliseconds === Infinity) return true;
  if (typeof milliseconds === 'number' && milliseconds > 0 && milliseconds <= LONGEST) return true;
  report({
    code: 'SIGIL_TOOL_TIMEOUT',
    where,
    what: `${String(milliseconds)} is no time limit.`,
    mend: `Give milliseconds, more than 0 and at most ${LONGEST}, or Infinity for none.`,
  });
  return false;
}
