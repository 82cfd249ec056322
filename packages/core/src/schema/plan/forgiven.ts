/**
 * What `createServer({ strict: 'warn' })` starts with: whatever is wrong with a class and lets nothing unsafe in. A property is read by
 * its rules, or left out where they cannot be understood, so that nothing comes in that nobody looked at.
 */
import type { ErrorCode } from '../../errors/catalogue';
import type { DtoProblem } from './dto-problems';

/** The property is read by its rules, or is left out, so that nobody may send it. */
export type Outcome = 'read' | 'left out' | 'refused';

const OUTCOMES: ReadonlyMap<ErrorCode, Outcome> = new Map<ErrorCode, Outcome>([
  ['SIGIL_DTO_WRONG_TYPE', 'read'],
  ['SIGIL_DTO_TYPE_WITHOUT_JSON', 'read'],
  ['SIGIL_DTO_TYPE_ERASED', 'read'],
  ['SIGIL_DTO_PROPERTY_WITHOUT_TYPE', 'read'],
  ['SIGIL_DTO_TYPE_BY_VALUE', 'read'],
  ['SIGIL_MAPPED_BY_NEST', 'read'],
  ['SIGIL_MAPPED_UNKNOWN', 'read'],
  ['SIGIL_DTO_PROPERTY_WITHOUT_DECORATOR', 'left out'],
  ['SIGIL_DTO_CONTRADICTION', 'left out'],
  ['SIGIL_DTO_READ_ONLY', 'left out'],
]);

/** What becomes of what has a problem. */
export function whatBecomesOf(problem: DtoProblem): Outcome {
  return OUTCOMES.get(problem('').code) ?? 'refused';
}
