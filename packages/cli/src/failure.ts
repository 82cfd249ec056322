/** What goes wrong on a command line, in words for the person who typed it. */
import { wordsFor, type ErrorWords, type ValuesFor } from '@sigil-mcp/core/adapter';
import { isJsonObject } from './json-object';

/** A code of the catalogue. */
type ErrorCode = ErrorWords['code'];

/** An error of the catalogue that ends the command with two sentences and an exit status; no stack is shown. */
export class CliFailure extends Error {
  override readonly name = 'CliFailure';
  /** Listed in docs/errors.md. */
  readonly code: ErrorCode;
  /** What to do about it, one sentence; the message says what is wrong. */
  readonly fix: string;

  /**
   * @param words of the catalogue
   * @param exitCode of the process; 1 unless the command gives its codes a meaning
   */
  constructor(
    { code, what, fix }: ErrorWords,
    readonly exitCode = 1,
  ) {
    super(what);
    this.code = code;
    this.fix = fix;
  }
}

/** The exit status of a command that was typed wrongly. */
export const WRONG_USAGE = 2;
/** The exit status when the server answers with an error of the protocol. */
export const PROTOCOL_ERROR = 3;
/** The exit status when there is no server to talk to, or no longer. */
export const NO_SERVER = 4;

/** A failure that has no exit status of its own. */
export function failure<Code extends ErrorCode>(code: Code, ...values: ValuesFor<Code>): CliFailure {
  return new CliFailure(wordsFor(code, ...values));
}

/** The failure of a command that was typed wrongly. */
export function wrongUsage<Code extends ErrorCode>(code: Code, ...values: ValuesFor<Code>): CliFailure {
  return new CliFailure(wordsFor(code, ...values), WRONG_USAGE);
}

/** The failure where a server answers with an error, or with what is no answer. */
export function protocolError<Code extends ErrorCode>(code: Code, ...values: ValuesFor<Code>): CliFailure {
  return new CliFailure(wordsFor(code, ...values), PROTOCOL_ERROR);
}

/** The failure where a target is no MCP server, or not any more. */
export function noServer<Code extends ErrorCode>(code: Code, ...values: ValuesFor<Code>): CliFailure {
  return new CliFailure(wordsFor(code, ...values), NO_SERVER);
}

/** The failure of a command that a signal ended. @param status as shells have it */
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

/** The code that the system or Node gives an error, such as `ENOENT`; undefined where there is none. */
export function codeOf(error: unknown): string | undefined {
  return isJsonObject(error) && 'code' in error ? String(error['code']) : undefined;
}
