/** What goes wrong on a command line, in words for the person who typed it. */
import { isJsonObject } from './json-object';

/** An error that ends the command with one sentence, what to do about it, and an exit status; no stack is shown. */
export class CliFailure extends Error {
  override readonly name = 'CliFailure';

  /**
   * @param message what is wrong, one sentence
   * @param mend what to do about it, one sentence
   * @param exitCode of the process; 1 unless the command gives its codes a meaning
   */
  constructor(
    message: string,
    readonly mend: string,
    readonly exitCode = 1,
  ) {
    super(message);
  }
}

/** The exit status of a command that was typed wrongly. */
export const WRONG_USAGE = 2;
/** The exit status when the server answers with an error of the protocol. */
export const PROTOCOL_ERROR = 3;
/** The exit status when there is no server to talk to, or no longer. */
export const NO_SERVER = 4;

/** The failure of a command that was typed wrongly. */
export function wrongUsage(message: string, mend: string): CliFailure {
  return new CliFailure(message, mend, WRONG_USAGE);
}

/** The failure where a target is no MCP server, or not any more. */
export function noServer(message: string, mend: string): CliFailure {
  return new CliFailure(message, mend, NO_SERVER);
}

/** The message of whatever was thrown. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The code that the system or Node gives an error, such as `ENOENT`; undefined where there is none. */
export function codeOf(error: unknown): string | undefined {
  return isJsonObject(error) && 'code' in error ? String(error['code']) : undefined;
}

/** Says on stderr what went wrong beside the command, which goes on. */
export function mention(error: unknown): void {
  process.stderr.write(`sigil: ${reasonOf(error)}\n`);
}
