/** From the words of a command line to an exit status. */
import { Command, CommanderError } from 'commander';
import { ALL_COMMANDS } from './commands/all-commands';
import { CliFailure } from './failure';
import { wasInterrupted } from './terminal/interruption';
import { report } from './terminal/outlet';
import { withShownConsole } from './terminal/shown-console';
import { stylesFor } from './terminal/styles';
import { versionOfCli } from './version';

/** The exit status after an error that nobody foresaw, as `sysexits.h` has it. */
const OWN_FAULT = 70;

/**
 * Runs a command.
 * @param words what follows the name of the program
 * @returns the exit status: 0 if all went well, 70 after a fault of its own, whose stack is shown
 */
export async function runCli(words: readonly string[]): Promise<number> {
  const program = new Command('sigil')
    .description('Build, run and look at MCP servers.')
    .version(versionOfCli())
    .showHelpAfterError('(sigil --help shows what there is)')
    .exitOverride();
  for (const register of ALL_COMMANDS) register(program);
  try {
    await withShownConsole(() => program.parseAsync(words, { from: 'user' }));
    // A command that ends well and still has something to say about it sets its status itself.
    return typeof process.exitCode === 'number' ? process.exitCode : 0;
  } catch (error) {
    return explain(error);
  }
}

function explain(error: unknown): number {
  // Commander has said it already.
  if (error instanceof CommanderError) return error.exitCode;
  if (!(error instanceof CliFailure)) {
    report(error instanceof Error ? error.stack || error.message : String(error));
    return OWN_FAULT;
  }
  // Not behind the fix, which may end with a command to be copied; and who pressed Ctrl-C has nothing to look up.
  const code = wasInterrupted(error) ? '' : ` ${stylesFor(process.stderr).dim(`[${error.code}]`)}`;
  report(`${error.message}${code}\n${error.fix}`);
  return error.exitCode;
}
