/**
 * A matcher for calls whose arguments are refused. Since 2025-11-25 the server answers with a result that is an error of the tool, and
 * before with an error response; a test of several revisions needs not know that.
 */
import { ERROR_CODES } from '@sigil-mcp/protocol';
import { verdict, type MatcherContext, type MatcherResult } from './matcher';
import { printValue } from './print-value';
import { textOf } from './read-result';
import { describePattern, hasText, type TextPattern } from './text-pattern';

/** How the answers begin; a handler that fails by itself says something else. */
const BEGINNING = 'Invalid arguments';

/** What came of a call, as a sentence shows it. */
interface Outcome {
  readonly shown: string;
  /** The message, if the arguments were refused. */
  readonly refusal?: string;
}

/** The server refused the arguments of this call, and its message contains this text. */
export async function toHaveInvalidArguments(
  this: MatcherContext,
  call: unknown,
  pattern?: TextPattern,
): Promise<MatcherResult> {
  const { refusal, shown } = await outcomeOf(call);
  const wanted = pattern === undefined ? '' : ` with a message to ${describePattern(pattern, 'contain')}`;
  return verdict(
    refusal !== undefined && (pattern === undefined || hasText(refusal, pattern, this.equals)),
    () => `Expected the server to refuse the arguments${wanted},\nbut ${shown}.`,
    () => `Expected the server not to refuse the arguments${wanted},\nbut ${shown}.`,
  );
}

/** @param call the promise of a call; its result is accepted, too */
async function outcomeOf(call: unknown): Promise<Outcome> {
  try {
    const result: unknown = await call;
    // Its members are checked before they are used.
    const given = (typeof result === 'object' && result !== null ? result : {}) as Parameters<typeof textOf>[0];
    const text = textOf(given);
    const isRefused = given['isError'] === true && text.startsWith(BEGINNING);
    if (isRefused) return { refusal: text, shown: `it said ${printValue(text)}` };
    return { shown: `the result is ${printValue(result)}` };
  } catch (error) {
    if (!(error instanceof Error)) return { shown: `the call threw ${printValue(error)}` };
    const isRefused = codeOf(error) === ERROR_CODES['invalid-params'] && error.message.startsWith(BEGINNING);
    if (isRefused) return { refusal: error.message, shown: `it said ${printValue(error.message)}` };
    return { shown: `the call failed with ${printValue(error.message)}` };
  }
}

function codeOf(error: Error): unknown {
  return 'code' in error ? error.code : undefined;
}
