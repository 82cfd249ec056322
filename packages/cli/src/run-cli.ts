/** From the arguments of a command line to an exit status. */
import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { Command, CommanderError } from 'commander';
import { openCommand } from './command-packages/open-command';
import { COMMAND_GROUPS } from './commands/all-commands';
import { describeStatuses } from './exit-status';
import { checkHelped, explainUsage, statusOfUsage } from './explain-usage';
import { reportFailure } from './report-failure';
import { Shell, type Output, type ShellParts } from './terminal/shell';
import { show } from './terminal/outlet';
import { versionOfCli } from './version';

/** The page of the documentation about the command. */
const PAGE = 'https://sigil-mcp.github.io/sigil/cli';

/** The width of the help if the output is not a terminal. */
const HELP_WIDTH = 80;

const EXAMPLES = `
Examples:
  sigil new my-server                create a server
  sigil dev                          run it, and restart it after each change
  sigil inspect                      show what a model sees of it
  sigil call takeNote title=milk     call one of its tools
  sigil call localhost:3000/mcp takeNote title=milk

${describeStatuses()}`;

/** How a command is run: by what the shell of the process gives, unless it is given. */
export interface CliOptions extends ShellParts {
  /** What help and errors show in place of `sigil new`, for a program of another name; `sigil new` if left out. */
  readonly typed?: string;
}

/**
 * Runs a command. Runs at the same time do not mix.
 * @param words the arguments, without the name of the program
 * @returns the exit status, which is listed in exit-status.ts
 */
export async function runCli(words: readonly string[], { typed, ...given }: CliOptions = {}): Promise<number> {
  const shell = new Shell(given);
  const program = createProgram(shell, typed, words);
  const run = async (): Promise<unknown> => {
    await openCommand(program, shell, words);
    checkHelped(program, words);
    return program.parseAsync(words, { from: 'user' });
  };
  try {
    await (shell.isOfProcess ? withShownConsole(shell, run) : run());
    // A command that ends normally may have set its own status.
    return shell.status;
  } catch (error) {
    const failure = error instanceof CommanderError ? explainUsage(error, program, words, typed) : error;
    if (error instanceof CommanderError && failure === undefined) return statusOfUsage(error);
    return reportFailure(shell, failure, wantsJson(program, words));
  }
}

/** Runs work while the console output of libraries is on stderr, and made visible, because it may quote a server. */
async function withShownConsole<Result>({ stderr }: Shell, work: () => Promise<Result>): Promise<Result> {
  const before = globalThis.console;
  const stream = new Writable({
    decodeStrings: false,
    write(text, _, done) {
      show(stderr, String(text));
      done();
    },
  });
  globalThis.console = new Console(stream);
  try {
    return await work();
  } finally {
    globalThis.console = before;
  }
}

/**
 * The commands and their options.
 * @param typed as for `runCli`
 * @param words the arguments: the command that they name is loaded alone. All are if left out
 */
export function createProgram(shell: Shell, typed?: string, [named = '']: readonly string[] = []): Command {
  const program = new Command('sigil')
    .description('Build, run and inspect MCP servers.')
    .usage('<command> [options]')
    .version(versionOfCli())
    // Its errors are reported as ours.
    .configureOutput({
      outputError: () => undefined,
      writeOut: (text) => shell.stdout.write(text),
      writeErr: (text) => shell.stderr.write(text),
      getOutHelpWidth: () => widthOf(shell.stdout),
      getErrHelpWidth: () => widthOf(shell.stderr),
    })
    .addHelpText('after', EXAMPLES)
    .addHelpText('afterAll', `\nDocumentation: ${PAGE}`)
    // Without "[options]", which every command has.
    .configureHelp({ subcommandTerm: (command) => `${command.name()} ${command.usage().replace('[options] ', '')}` })
    .exitOverride();
  const isOne = COMMAND_GROUPS.some(({ commands }) => Object.hasOwn(commands, named));
  for (const { heading, commands } of COMMAND_GROUPS) {
    program.commandsGroup(heading);
    for (const [name, load] of Object.entries(commands)) if (!isOne || name === named) load()(program, shell);
  }
  program.helpCommand('help [command]', 'show the options of a command');
  if (typed !== undefined)
    for (const command of program.commands) command.configureHelp({ commandUsage: (one) => `${typed} ${one.usage()}` });
  return program;
}

/** The cells of a line of a terminal, or else of a page. */
function widthOf({ isTTY, columns }: Output): number {
  return isTTY === true ? (columns ?? HELP_WIDTH) : HELP_WIDTH;
}

/** Whether the command prints JSON for programs, errors included. */
function wantsJson({ commands }: Command, words: readonly string[]): boolean {
  const dashes = words.indexOf('--');
  const own = dashes === -1 ? words : words.slice(0, dashes);
  const command = commands.find((one) => one.name() === own[0]);
  return own.includes('--json') && command?.options.some(({ long }) => long === '--json') === true;
}
