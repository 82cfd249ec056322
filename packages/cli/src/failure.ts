/** Errors on a command line, with messages for users. */
import { isObject } from '@sigil-mcp/base';
import type { ErrorWords } from '@sigil-mcp/core/adapter';
import { commandWords, type CommandErrorCode, type CommandErrorValues } from './errors/errors';
import { FAILED, NO_SERVER, PROTOCOL_ERROR, WRONG_USAGE } from './exit-status';

/** An error of the catalogue that ends the command with two sentences and an exit status, without a stack trace. */
export class CliFailure extends Error {
  override readonly name = 'CliFailure';
  /** Listed in docs/command-errors.md. */
  readonly code: string;
  /** The fix, in one sentence; the message describes the problem. */
  readonly fix: string;
  /** What is printed first: the error of the author's own program, which is the cause. */
  headline?: string;

  /**
   * @param words from the catalogue
   * @param exitCode of the process, from exit-status.ts
   */
  constructor(
    { code, problem, fix }: ErrorWords,
    readonly exitCode = FAILED,
  ) {
    super(problem);
    this.code = code;
    this.fix = fix;
  }
}

/** A failure with the default exit status. */
export function failure<Code extends CommandErrorCode>(code: Code, ...values: CommandErrorValues<Code>): CliFailure {
  return new CliFailure(commandWords(code, ...values));
}

/** The failure for wrong usage. */
export function wrongUsage<Code extends CommandErrorCode>(code: Code, ...values: CommandErrorValues<Code>): CliFailure {
  return new CliFailure(commandWords(code, ...values), WRONG_USAGE);
}

/** The failure if a server answers with an error, or with an invalid answer. */
export function protocolError<Code extends CommandErrorCode>(
  code: Code,
  ...values: CommandErrorValues<Code>
): CliFailure {
  return new CliFailure(commandWords(code, ...values), PROTOCOL_ERROR);
}

/** The failure if there is no MCP server at a target, or not any more. */
export function noServer<Code extends CommandErrorCode>(code: Code, ...values: CommandErrorValues<Code>): CliFailure {
  return new CliFailure(commandWords(code, ...values), NO_SERVER);
}

/** The failure of a command that a signal ended. @param status as in shells */
export function endedBySignal<Code extends CommandErrorCode>(
  status: number,
  code: Code,
  ...values: CommandErrorValues<Code>
): CliFailure {
  return new CliFailure(commandWords(code, ...values), status);
}

/** The message of a thrown value. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The error code of the system or of Node, such as `ENOENT`, if there is one. */
export function codeOf(error: unknown): string | undefined {
  return isObject(error) && 'code' in error ? String(error['code']) : undefined;
}
