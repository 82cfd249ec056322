/** The end of a command by an error: two sentences, the code and the address of its page, or the same as JSON; and the exit status. */
import { stripVTControlCharacters } from 'node:util';
import { errorPage } from '@sigil-mcp/base';
import { commandWords } from './errors/errors';
import { UNEXPECTED } from './exit-status';
import { CliFailure, reasonOf } from './failure';
import { wasInterrupted } from './terminal/interruption';
import { withOwnSequences } from './terminal/own-sequences';
import type { Shell } from './terminal/shell';
import { wrapFor } from './terminal/wrap-text';

/**
 * Reports an error.
 * @param asJson prints it as JSON on stdout, for programs
 * @returns the exit status
 */
export function reportFailure(shell: Shell, error: unknown, asJson: boolean): number {
  const isOurs = error instanceof CliFailure;
  // The stack trace of an unexpected error is for the authors of sigil.
  if (!isOurs) shell.report(error instanceof Error ? error.stack || error.message : String(error));
  const failure = isOurs
    ? error
    : new CliFailure(commandWords('SIGIL_CLI_UNEXPECTED', { reason: reasonOf(error) }), UNEXPECTED);
  if (asJson) shell.printJson({ error: describe(failure) });
  else if (isOurs) shell.report(textOf(shell, failure));
  return failure.exitCode;
}

function describe({ code, message, fix, exitCode, headline: cause }: CliFailure): object {
  const texts = { code, message: plain(message), fix: plain(fix), page: errorPage(code), exitCode };
  return cause === undefined ? texts : { ...texts, cause: plain(cause) };
}

/** Without colours, which stderr may have. */
function plain(text: string): string {
  return stripVTControlCharacters(withOwnSequences(text));
}

function textOf(shell: Shell, failure: CliFailure): string {
  const { headline, message, code, fix } = failure;
  // After Ctrl-C there is nothing to look up.
  if (wasInterrupted(failure)) return wrapFor(shell.stderr, `${message}\n${fix}`);
  // The code stands before the fix, which may end with a command to copy.
  const { dim } = shell.errorStyles;
  // The error of the author's program says all that there is to say.
  if (headline !== undefined && code === 'SIGIL_CLI_CRASHED') return wrapFor(shell.stderr, headline);
  const above = headline === undefined ? '' : `${headline}\n\n`;
  const sentences = wrapFor(shell.stderr, `${above}${message} ${dim(`[${code}]`)}\n${fix}`);
  // An address stays whole, so that a terminal can open it.
  const page = errorPage(code);
  return page === undefined ? sentences : `${sentences}\n${dim(page)}`;
}
