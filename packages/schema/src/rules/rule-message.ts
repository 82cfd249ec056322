/** The message of a failed rule: the author's or class-validator's, with its `$tokens` filled in, and never a huge value. */
import type { ValidationArguments } from 'class-validator';
import { shorten } from '@sigil-mcp/base';
import { amount } from '../code-points';
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

/** The option `message` of a class-validator decorator. */
export type MessageTemplate = string | ((given: ValidationArguments) => string);

const longestMessage = 500;
const longestValue = 100;

/** The message; a default one without the property's name in front, which is in the failure's path already. */
export function ruleMessage(
  own: MessageTemplate | undefined,
  byDefault: (given: ValidationArguments) => string | undefined,
  given: ValidationArguments,
): string {
  const fallback = 'is not valid';
  try {
    const template = own ?? byDefault(given)?.replace(/^(each value in )?\$property /, '') ?? '';
    const text = typeof template === 'function' ? template(given) : template;
    const plain = own === undefined ? plainMessage(text, given.constraints as readonly unknown[]) : undefined;
    return shorten(plain ?? fillTokens(text, given), longestMessage) || fallback;
  } catch {
    // A message function may trip over the very value that it should describe.
    return fallback;
  }
}

function fillTokens(text: string, { constraints, value, property, targetName }: ValidationArguments): string {
  // class-validator types the arguments as any.
  const parameters = constraints as readonly unknown[];
  const shown = value as unknown;
  return text.replace(/\$(constraint(\d+)|value|property|target)/g, (token: string, word: string, index?: string) => {
    if (index !== undefined)
      return Number(index) > parameters.length ? token : parameterText(parameters[Number(index) - 1]);
    if (word === 'property') return property;
    if (word === 'target') return targetName;
    return ['string', 'number', 'boolean'].includes(typeof shown) ? shorten(String(shown), longestValue) : token;
  });
}

function parameterText(parameter: unknown): string {
  if (Array.isArray(parameter)) return shorten(parameter.map(parameterText).join(', '), longestValue * 3);
  if (parameter instanceof Date) return parameter.toISOString();
  // Source code is no message; @MaxDate takes a function.
  if (typeof parameter === 'function') return 'the limit';
  return shorten(String(parameter), longestValue);
}

/**
 * The message for a template of class-validator.
 * @returns undefined for a template that is clear
 */
function plainMessage(template: string, parameters: readonly unknown[]): string | undefined {
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
