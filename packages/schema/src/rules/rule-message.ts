/** The message of a failed rule: the author's or class-validator's, with its `$tokens` filled in, and never a huge value. */
import type { ValidationArguments } from 'class-validator';
import { shorten } from '@sigil-mcp/base';
import { plainMessage } from './plain-message';

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
