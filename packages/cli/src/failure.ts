/** Errors on a command line, with messages for users. */
import {
  isObject,
  type CatalogueEntries,
  type CodeOf,
  type DefinedErrors,
  type ErrorWords,
  type ValuesOf,
} from '@sigil-mcp/base';
import { COMMAND_ERRORS } from './errors/errors';
import { FAILED, NO_SERVER, PROTOCOL_ERROR, WRONG_USAGE } from './exit-status';

/** An error of the catalogue that ends the command with two sentences and an exit status, without a stack trace. */
export class CliFailure extends Error {
  override readonly name = 'CliFailure';
  /** Listed in docs/errors. */
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

  /** Those of another copy of this package count, too: a command that a project has brings the copy of the project. */
  static override [Symbol.hasInstance](value: unknown): value is CliFailure {
    return value instanceof Error && value.name === 'CliFailure';
  }
}

/** Makes the failure of a code, with a status that its maker stands for. */
type MakeFailure<Entries extends CatalogueEntries> = <Code extends CodeOf<Entries>>(
  code: Code,
  ...values: ValuesOf<Entries[Code]>
) => CliFailure;

/** What makes the failures of commands, by the codes of one catalogue. */
export interface Failures<Entries extends CatalogueEntries> {
  /** With the default exit status, 1. */
  readonly failure: MakeFailure<Entries>;
  /** For wrong usage: status 2. */
  readonly wrongUsage: MakeFailure<Entries>;
  /** If a server answers with an error, or with an invalid answer: status 3. */
  readonly protocolError: MakeFailure<Entries>;
  /** If there is no MCP server at a target, or not any more: status 4. */
  readonly noServer: MakeFailure<Entries>;
  /** Of a command that a signal ended, with its status as in shells. */
  readonly endedBySignal: <Code extends CodeOf<Entries>>(
    status: number,
    code: Code,
    ...values: ValuesOf<Entries[Code]>
  ) => CliFailure;
}

/**
 * Makes failures of the errors of a package.
 * @example
 * const { failure } = failuresOf(defineErrors({ ACME_NO_KEY: { problem: 'There is no key {id}.', fix: 'Use {known}.' } }));
 * throw failure('ACME_NO_KEY', { id: 'a', known: 'b' });
 */
export function failuresOf<Entries extends CatalogueEntries>({ words }: DefinedErrors<Entries>): Failures<Entries> {
  const ending =
    (status: number): MakeFailure<Entries> =>
    (code, ...values) =>
      new CliFailure(words(code, ...values), status);
  return {
    failure: ending(FAILED),
    wrongUsage: ending(WRONG_USAGE),
    protocolError: ending(PROTOCOL_ERROR),
    noServer: ending(NO_SERVER),
    endedBySignal: (status, code, ...values) => ending(status)(code, ...values),
  };
}

/** The failures of the errors of the command line itself, such as `SIGIL_PROJECT_FILE`. */
export const commandFailures = failuresOf(COMMAND_ERRORS);
/** Make the failure of a code. */
export const { failure, wrongUsage, protocolError, noServer, endedBySignal } = commandFailures;

/** The message of a thrown value. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The error code of the system or of Node, such as `ENOENT`, if there is one. */
export function codeOf(error: unknown): string | undefined {
  return isObject(error) && 'code' in error ? String(error['code']) : undefined;
}
