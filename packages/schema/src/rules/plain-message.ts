/** Sentences for the default messages of class-validator that are hard to follow. */
import { shorten } from '@sigil-mcp/base';
import { amount } from '../amount';
import { DATE_WORDS } from '../date-text';

type Say = (parameters: readonly unknown[]) => string;

const longestPattern = 200;

/** class-validator's template, without the property -> the message, by the arguments of the decorator. */
const SENTENCES: ReadonlyMap<string, Say> = new Map(
  Object.entries<Say>({
    'must match $constraint1 regular expression': ([pattern]) => `must match the pattern ${patternText(pattern)}`,
    'must contain at least $constraint1 elements': ([least]) => `must have ${amount(Number(least), Infinity, 'item')}`,
    'must contain no more than $constraint1 elements': ([most]) => `must have ${amount(0, Number(most), 'item')}`,
    'should not be empty': () => 'must not be empty',
    'must be longer than or equal to $constraint1 characters': lengthWords,
    'must be shorter than or equal to $constraint1 characters': ([most]) => lengthWords([0, most]),
    'must be shorter than or equal to $constraint2 characters': lengthWords,
    'must be longer than or equal to $constraint1 and shorter than or equal to $constraint2 characters': lengthWords,
    'must be a valid ISO 8601 date string': () => `must be ${DATE_WORDS}`,
    'must be RFC 3339 date': () => 'must be a date and time such as 2026-01-31T12:00:00Z',
  }),
);

/**
 * The message for a template of class-validator.
 * @returns undefined for a template that is clear
 */
export function plainMessage(template: string, parameters: readonly unknown[]): string | undefined {
  return SENTENCES.get(template)?.(parameters);
}

function lengthWords([least, most = Infinity]: readonly unknown[]): string {
  return `must have ${amount(Number(least), Number(most), 'character')}`;
}

/** The expression as JSON Schema writes it; with its flags, if they change what it accepts. */
function patternText(pattern: unknown): string {
  const isPlain = pattern instanceof RegExp && /^[dgu]*$/.test(pattern.flags);
  return shorten(isPlain ? pattern.source : String(pattern), longestPattern);
}
