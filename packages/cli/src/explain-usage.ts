/** The errors of the library that reads the command line, in our words. */
import type { Command, CommanderError } from 'commander';
import { nearestNames } from '@sigil-mcp/base';
import { WRONG_USAGE } from './exit-status';
import { wrongUsage, type CliFailure } from './failure';

/** What is said of a value; the flags of an option may have quotes, as those of --header have. */
const INVALID =
  /^(?:option '(.*)' argument|command-argument value) '(.*)' is invalid(?: for argument '(.*)')?\. ?(.*)$/s;

/**
 * Help was asked for: of a command that does not exist, the library shows that of all.
 * @throws CliFailure for such a command
 */
export function checkHelped(program: Command, words: readonly string[]): void {
  const [first, second] = words;
  const name = first === 'help' ? second : words.some((word) => word === '--help' || word === '-h') ? first : undefined;
  if (name === undefined || name.startsWith('-') || name === 'help' || namesIn(program).includes(name)) return;
  throw unknownCommand(name, program);
}

function unknownCommand(name: string, program: Command): CliFailure {
  return wrongUsage('SIGIL_CLI_USAGE_COMMAND', { name, suggestion: near(name, namesIn(program)) });
}

/**
 * Explains an error.
 * @param words the command line
 * @param typed the words that the user typed instead of `sigil new`, if another program runs it
 * @returns undefined if nothing is wrong, or nothing is left to say: help or the version was printed
 */
export function explainUsage(
  { code, message, exitCode }: CommanderError,
  program: Command,
  words: readonly string[],
  typed?: string,
): CliFailure | undefined {
  if (exitCode === 0 || code === 'commander.help') return undefined;
  const command = program.commands.find((one) => one.name() === words[0]) ?? program;
  const name = command === program ? 'sigil' : (typed ?? `sigil ${command.name()}`);
  const [said = ''] = message.replace(/^error: /, '').split('\n');
  const [, quoted = ''] = /'([^']*)'/.exec(said) ?? [];
  switch (code) {
    case 'commander.unknownCommand':
      return unknownCommand(quoted, program);
    case 'commander.unknownOption':
      return wrongUsage('SIGIL_CLI_USAGE_OPTION', {
        option: quoted,
        command: name,
        suggestion: near(quoted, optionsOf(command)),
      });
    case 'commander.missingArgument':
      return wrongUsage('SIGIL_CLI_USAGE_MISSING', { command: name, argument: quoted, usage: usageOf(command) });
    case 'commander.optionMissingArgument':
      return wrongUsage('SIGIL_CLI_USAGE_VALUE_MISSING', { option: quoted });
    case 'commander.excessArguments':
      return wrongUsage('SIGIL_CLI_USAGE_EXCESS', {
        command: name,
        surplus: surplusOf(command),
        usage: usageOf(command),
      });
    case 'commander.invalidArgument': {
      const [, option, given = '', argument = '', rule = ''] = INVALID.exec(said) ?? [];
      return wrongUsage('SIGIL_CLI_USAGE_VALUE', { name: option ?? argument, value: given, rule: ruleOf(rule, given) });
    }
    default:
      return wrongUsage('SIGIL_CLI_USAGE', { reason: said.replace(/\.$/, ''), command: name });
  }
}

/** The exit status if there is nothing to explain: without a command, the help is printed, and that is wrong usage. */
export function statusOfUsage({ exitCode }: CommanderError): number {
  return exitCode === 0 ? 0 : WRONG_USAGE;
}

/** The arguments behind those that a command takes. */
function surplusOf({ args, registeredArguments }: Command): string {
  return args
    .slice(registeredArguments.length)
    .map((word) => `"${word}"`)
    .join(', ');
}

function usageOf(command: Command): string {
  return command.createHelp().commandUsage(command);
}

function namesIn(program: Command): string[] {
  return program.commands.map((one) => one.name());
}

function optionsOf(command: Command): string[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long }) => long ?? []);
}

function near(word: string, names: readonly string[]): string {
  const found = nearestNames(word, names);
  return found.length === 0 ? '' : `Did you mean ${found.join(' or ')}? `;
}

/** `Allowed choices are tool, resource.` -> with the nearest one. */
function ruleOf(rule: string, given: string): string {
  const [, list] = /^Allowed choices are (.*)\.$/.exec(rule) ?? [];
  return list === undefined ? rule : `${near(given, list.split(', '))}Allowed values: ${list}.`;
}
