/**
 * The problems that `createServer({ strict: 'warn' })` tolerates: all that let no unsafe value in. A property is read by its rules, or left
 * out if they are not understood, so that no unchecked value is accepted.
 */
import type { SchemaErrorCode } from '../errors/errors';
import type { DtoProblem } from './dto-problems';

/** The property is read by its rules, or is left out, so that no client may send it. */
export type Outcome = 'read' | 'left out' | 'refused';

const OUTCOMES: ReadonlyMap<string, Outcome> = new Map<SchemaErrorCode, Outcome>([
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
  ['SIGIL_DTO_NESTED_WITHOUT_TYPE', 'left out'],
]);

/** How a property with a problem is treated. */
export function whatBecomesOf(problem: DtoProblem): Outcome {
  return OUTCOMES.get(problem('').code) ?? 'refused';
}
