/** From the arguments of a command line to an exit status. */
import { errorPage } from '@sigil-mcp/core/adapter';
import { Command, CommanderError } from 'commander';
import { ALL_COMMANDS } from './commands/all-commands';
import { CliFailure } from './failure';
import { wasInterrupted } from './terminal/interruption';
import { report } from './terminal/outlet';
import { withShownConsole } from './terminal/shown-console';
import { stylesFor } from './terminal/styles';
import { versionOfCli } from './version';

/** The exit status after an unexpected error, as in `sysexits.h`. */
const OWN_FAULT = 70;

/**
 * Runs a command.
 * @param words the arguments, without the name of the program
 * @returns the exit status: 0 after success, 70 after an unexpected error, whose stack trace is printed
 */
export async function runCli(words: readonly string[]): Promise<number> {
  const program = new Command('sigil')
    .description('Build, run and inspect MCP servers.')
    .version(versionOfCli())
    .showHelpAfterError('(sigil --help lists the commands)')
    .exitOverride();
  for (const register of ALL_COMMANDS) register(program);
  try {
    await withShownConsole(() => program.parseAsync(words, { from: 'user' }));
    // A command that ends normally may set its own status.
    return typeof process.exitCode === 'number' ? process.exitCode : 0;
  } catch (error) {
    return explain(error);
  }
}

function explain(error: unknown): number {
  // Commander has printed the error already.
  if (error instanceof CommanderError) return error.exitCode;
  if (!(error instanceof CliFailure)) {
    report(error instanceof Error ? error.stack || error.message : String(error));
    return OWN_FAULT;
  }
  // The code stands before the fix, which may end with a command to copy. After Ctrl-C there is nothing to look up.
  const { dim } = stylesFor(process.stderr);
  const code = wasInterrupted(error) ? '' : ` ${dim(`[${error.code}]`)}`;
  const page = wasInterrupted(error) ? '' : `\n${dim(errorPage(error.code))}`;
  const headline = error.headline === undefined ? '' : `${error.headline}\n\n`;
  report(`${headline}${error.message}${code}\n${error.fix}${page}`);
  return error.exitCode;
}
