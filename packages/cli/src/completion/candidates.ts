/** The words that fit at the end of a command line. */
import type { Command, Option } from 'commander';
import { visible } from '@sigil-mcp/base';
import { knownTools, type RememberedTools } from './remembered-tools';

/**
 * Finds the words that fit.
 * @param words the command line without `sigil`; the last word is the one to complete, and may be empty
 * @param folder whose project has the tools for `sigil call`
 */
export function candidates(program: Command, words: readonly string[], folder: string): string[] {
  const current = words.at(-1) ?? '';
  return allWords(program, words.slice(0, -1), { current, folder }).filter((word) => word.startsWith(current));
}

function allWords(
  program: Command,
  before: readonly string[],
  { current, folder }: { readonly current: string; readonly folder: string },
): readonly string[] {
  const [name, ...typed] = before;
  const help = program.createHelp();
  if (name === undefined && !current.startsWith('-')) return help.visibleCommands(program).map((one) => one.name());
  const command = program.commands.find((one) => one.name() === name) ?? program;
  const options = help.visibleOptions(command);
  const pending = optionOf(options, typed.at(-1));
  if (pending && (pending.required || pending.optional)) return pending.argChoices ?? [];
  if (current.startsWith('-')) return options.flatMap(({ long }) => long ?? []);
  const operands = typed.filter((word, index) => !word.startsWith('-') && !takesValue(options, typed[index - 1]));
  if (name === 'call') return callWords(operands, folder);
  return command.registeredArguments[operands.length]?.argChoices ?? [];
}

function optionOf(options: readonly Option[], word: string | undefined): Option | undefined {
  return options.find(({ long, short }) => word !== undefined && (word === long || word === short));
}

function takesValue(options: readonly Option[], word: string | undefined): boolean {
  const option = optionOf(options, word);
  return option !== undefined && (option.required || option.optional);
}

/**
 * Words that are the same in every shell, with and without quotes. Names come from a repository or a server, and a shell puts them on the
 * command line, where the next key runs them. A word with `-` in front would be an option, with `=` a command of zsh, and with `@` a
 * variable of PowerShell.
 */
const PLAIN = /^[\p{L}\p{N}_./](?:[\p{L}\p{M}\p{N}_./:=@-]{0,127})$/u;

function isPlain(word: string): boolean {
  return PLAIN.test(word) && visible(word) === word;
}

/** The tools, and after a tool its arguments: those whose names are plain words. */
function callWords(operands: readonly string[], folder: string): readonly string[] {
  return wordsOfTools(operands, knownTools(folder)).filter(isPlain);
}

function wordsOfTools(operands: readonly string[], tools: RememberedTools): readonly string[] {
  const tool = operands.slice(0, 2).find((word) => Object.hasOwn(tools, word));
  if (tool !== undefined) return (tools[tool] ?? []).map((name) => `${name}=`);
  return operands.length < 2 ? Object.keys(tools) : [];
}
