/** Time limits as options give them. */
import type { ReportProblem } from '../errors/definition-error';

/** Timers of Node hold no more, and fire at once instead. */
const LONGEST = 2 ** 31 - 1;

/** What a time limit may be. */
export const TIME_LIMIT_WORDS = `Give milliseconds, more than 0 and at most ${LONGEST}, or Infinity for none.`;

/** Whether it can be used. `Infinity` says that there is no limit. */
export function isTimeLimit(milliseconds: unknown): boolean {
  return typeof milliseconds === 'number' && milliseconds > 0 && (milliseconds <= LONGEST || milliseconds === Infinity);
}

/** Whether it can be used; what cannot is reported. */
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
