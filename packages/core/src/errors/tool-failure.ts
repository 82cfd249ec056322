/** A failure that a tool wants the model to read. */
import type { Unwritable } from '@sigil-mcp/schema/plain';
import { describeFailures, shorten, SigilError, type Failure } from '@sigil-mcp/base';
import { wordsFor } from './catalogue';

/** Logged with every failure; the client receives only a general message and the id of the error. */
export class InvalidOutput extends SigilError {
  override readonly name = 'InvalidOutput';
}

/** A value that contains itself has an endless path. */
const LONGEST_PATH = 200;

/**
 * Thrown by a tool: the call is answered with `isError: true` and this message, word for word, so that the model can do
 * something about it. Any other error is masked.
 * @example throw new ToolFailure('There is no flight on that day; the next one is on Friday.');
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/tools#error-handling
 */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
}

/** The error about a value that does not fit its output. */
export function unfitOutput(where: string, failures: readonly Failure[]): InvalidOutput {
  return new InvalidOutput(wordsFor('SIGIL_INVALID_OUTPUT', { where, failures: describeFailures(failures) }));
}

/** The error about a part of a value that JSON cannot represent. */
export function unwritableOutput(where: string, { path, what, isBytes }: Unwritable): InvalidOutput {
  const values = { where, path: placeOf(path) };
  return new InvalidOutput(
    isBytes ? wordsFor('SIGIL_OUTPUT_BYTES', values) : wordsFor('SIGIL_OUTPUT_DATA', { ...values, what }),
  );
}

/** The error for an element of a content list that is not content. */
export function mixedOutput(where: string, path: Unwritable['path'], what: string): InvalidOutput {
  return new InvalidOutput(wordsFor('SIGIL_OUTPUT_MIXED', { where, path: placeOf(path), what }));
}

/** The error for a value that is made for entries of another kind. */
export function misplacedOutput(where: string, maker: string, kind: string): InvalidOutput {
  return new InvalidOutput(wordsFor('SIGIL_OUTPUT_MISPLACED', { where, maker, kind }));
}

function placeOf(path: Unwritable['path']): string {
  return shorten(`result${path.map(writeStep).join('')}`, LONGEST_PATH);
}

function writeStep(step: string | number): string {
  if (typeof step === 'number') return `[${step}]`;
  return /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
}
