/** From the arguments of a command line to an exit status. */
import { Command, CommanderError } from 'commander';
import { COMMAND_GROUPS } from './commands/all-commands';
import { describeStatuses } from './exit-status';
import { explainUsage, statusOfUsage } from './explain-usage';
import { reportFailure } from './report-failure';
import { withShownConsole } from './terminal/shown-console';
import { versionOfCli } from './version';

/** The page of the documentation about the command. */
const PAGE = 'https://sigil-mcp.github.io/sigil/cli';

const EXAMPLES = `
Examples:
  sigil new my-server                create a server
  sigil dev                          run it, and restart it after each change
  sigil inspect                      show what a model sees of it
  sigil call takeNote title=milk     call one of its tools
  sigil call localhost:3000/mcp takeNote title=milk

${describeStatuses()}

Documentation: ${PAGE}`;

/**
 * Runs a command.
 * @param words the arguments, without the name of the program
 * @param typed the words that the user typed instead of `sigil new`, such as `npm create @sigil-mcp@latest --`; help and errors show them
 * @returns the exit status, which is listed in exit-status.ts
 */
export async function runCli(words: readonly string[], typed?: string): Promise<number> {
  const program = createProgram(typed);
  try {
    await withShownConsole(() => program.parseAsync(words, { from: 'user' }));
    // A command that ends normally may set its own status.
    return typeof process.exitCode === 'number' ? process.exitCode : 0;
  } catch (error) {
    const failure = error instanceof CommanderError ? explainUsage(error, program, words, typed) : error;
    if (error instanceof CommanderError && failure === undefined) return statusOfUsage(error);
    return reportFailure(failure, wantsJson(program, words));
  }
}

/** The commands and their options. @param typed as for `runCli` */
export function createProgram(typed?: string): Command {
  const program = new Command('sigil')
    .description('Build, run and inspect MCP servers.')
    .usage('<command> [options]')
    .version(versionOfCli())
    // Its errors are reported as ours.
    .configureOutput({ outputError: () => undefined })
    .addHelpText('after', EXAMPLES)
    // Without "[options]", which every command has.
    .configureHelp({ subcommandTerm: (command) => `${command.name()} ${command.usage().replace('[options] ', '')}` })
    .exitOverride();
  for (const { heading, commands } of COMMAND_GROUPS) {
    program.commandsGroup(heading);
    for (const register of commands) register(program);
  }
  program.helpCommand('help [command]', 'show the options of a command');
  for (const command of program.commands) {
    command.addHelpText('after', `\nDocumentation: ${PAGE}`);
    if (typed !== undefined) command.configureHelp({ commandUsage: (one) => `${typed} ${one.usage()}` });
  }
  return program;
}

/** Whether the command prints JSON for programs, errors included. */
function wantsJson({ commands }: Command, words: readonly string[]): boolean {
  const dashes = words.indexOf('--');
  const own = dashes === -1 ? words : words.slice(0, dashes);
  const command = commands.find((one) => one.name() === own[0]);
  return own.includes('--json') && command?.options.some(({ long }) => long === '--json') === true;
}
