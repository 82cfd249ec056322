/** Errors on a command line, with messages for users. */
import { wordsFor, type ErrorWords, type ValuesFor } from '@sigil-mcp/core/adapter';
import { FAILED, NO_SERVER, PROTOCOL_ERROR, WRONG_USAGE } from './exit-status';
import { isJsonObject } from './json-object';

/** A code of the error catalogue. */
type ErrorCode = ErrorWords['code'];

/** An error of the catalogue that ends the command with two sentences and an exit status, without a stack trace. */
export class CliFailure extends Error {
  override readonly name = 'CliFailure';
  /** Listed in docs/errors.md. */
  readonly code: ErrorCode;
  /** The fix, in one sentence; the message describes the problem. */
  readonly fix: string;
  /** What is printed first: the error of the author's own program, which is the cause. */
  headline?: string;

  /**
   * @param words from the catalogue
   * @param exitCode of the process, from exit-status.ts
   */
  constructor(
    { code, what, fix }: ErrorWords,
    readonly exitCode = FAILED,
  ) {
    super(what);
    this.code = code;
    this.fix = fix;
  }
}

/** A failure with the default exit status. */
export function failure<Code extends ErrorCode>(code: Code, ...values: ValuesFor<Code>): CliFailure {
  return new CliFailure(wordsFor(code, ...values));
}

/** The failure for wrong usage. */
export function wrongUsage<Code extends ErrorCode>(code: Code, ...values: ValuesFor<Code>): CliFailure {
  return new CliFailure(wordsFor(code, ...values), WRONG_USAGE);
}

/** The failure if a server answers with an error, or with an invalid answer. */
export function protocolError<Code extends ErrorCode>(code: Code, ...values: ValuesFor<Code>): CliFailure {
  return new CliFailure(wordsFor(code, ...values), PROTOCOL_ERROR);
}

/** The failure if there is no MCP server at a target, or not any more. */
export function noServer<Code extends ErrorCode>(code: Code, ...values: ValuesFor<Code>): CliFailure {
  return new CliFailure(wordsFor(code, ...values), NO_SERVER);
}

/** The failure of a command that a signal ended. @param status as in shells */
export function endedBySignal<Code extends ErrorCode>(
  status: number,
  code: Code,
  ...values: ValuesFor<Code>
): CliFailure {
  return new CliFailure(wordsFor(code, ...values), status);
}

/** The message of a thrown value. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The error code of the system or of Node, such as `ENOENT`, if there is one. */
export function codeOf(error: unknown): string | undefined {
  return isJsonObject(error) && 'code' in error ? String(error['code']) : undefined;
}
