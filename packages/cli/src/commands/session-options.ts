/** The options and words that all commands share which connect to a server. */
import { CommanderError, InvalidArgumentError, type Command as Program } from 'commander';
import { WRONG_USAGE } from '../failure';
import { commandTarget, readTarget } from '../targets/read-target';
import type { SessionOptions, TargetReader } from '../session/session';

type Lists = Record<string, string[]>;

/** Adds the options for connecting, and the exit status for wrong usage. */
export function withSessionOptions(command: Program): Program {
  return command
    .option(
      '--timeout <seconds>',
      'a deadline for connecting (30 if not given) and for every answer (none)',
      readSeconds,
    )
    .option("--header <'name: value'>", 'sent to a URL with every request; may be repeated', readHeader)
    .option('--answer <field=value>', 'answers a question of the server; may be repeated', readAnswer)
    .option('--verbose', 'show what a started server writes to stderr', false)
    .exitOverride((error) => {
      throw error.exitCode === 0 ? error : new CommanderError(WRONG_USAGE, error.code, error.message);
    });
}

/** The options as commander gives them. */
export type ParsedSessionOptions = SessionOptions;

/** What was typed: the target, and what follows it. */
export interface TypedWords {
  /** The target, read when it is asked for, so that other mistakes in what was typed are told first. */
  readonly target: TargetReader;
  readonly rest: readonly string[];
}

/**
 * Tells the target from the other words: it is all that follows `--`, or else the first word.
 * @param words that are no options
 */
export function splitTarget(words: readonly string[], command: Program): TypedWords {
  const typed = rawWords(command);
  const dashes = typed.indexOf('--');
  if (dashes === -1) return { target: (signal) => readTarget(words.slice(0, 1), signal), rest: words.slice(1) };
  const count = typed.length - dashes - 1;
  const target = () => commandTarget(words.slice(words.length - count));
  return { target, rest: words.slice(0, words.length - count) };
}

/** The words as they were typed, `--` included. */
export function rawWords(command: Program): readonly string[] {
  let program: Program = command;
  while (program.parent) program = program.parent;
  // Commander keeps them, and documents them, but leaves them out of its types.
  return (program as Program & { rawArgs: readonly string[] }).rawArgs;
}

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (!(seconds > 0) || seconds > 2_000_000) throw new InvalidArgumentError('It is a number of seconds, such as 10.');
  return seconds;
}

function readHeader(text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const [, name, value] = /^([\w!#$%&'*+.^`|~-]+)\s*:\s*(.*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError("Write it as 'name: value'.");
  return { ...before, [name]: value };
}

function readAnswer(text: string, before: Readonly<Lists> = {}): Lists {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Write it as field=value.');
  const name = text.slice(0, at);
  return { ...before, [name]: [...(before[name] ?? []), text.slice(at + 1)] };
}
