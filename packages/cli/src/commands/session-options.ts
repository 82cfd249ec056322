/** The options and arguments that all connecting commands share. */
import { existsSync } from 'node:fs';
import { InvalidArgumentError, type Command as Program } from 'commander';
import { hasEntry } from '../project/find-project';
import { namesEntry } from '../targets/target';
import { commandTarget, readTarget } from '../targets/read-target';
import { CommandCredentials, type GivenCredentials } from '../sign-in/credentials';
import type { CommandSessionOptions, TargetReader } from '../session/session';
import type { Shell } from '../terminal/shell';

/** Headers of the connection, which `fetch` refuses or replaces. */
const CONNECTION_HEADERS = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
]);

type Lists = Record<string, string[]>;

/** Adds the options for connecting. The options of the command itself are added before them. */
export function withConnectionOptions(command: Program): Program {
  return command
    .optionsGroup('Connection:')
    .option(
      '--timeout <seconds>',
      'a deadline for connecting (default: 30) and for each answer (default: none)',
      readSeconds,
    )
    .option("-H, --header <'name: value'>", 'a header for every request to a URL; may be repeated', readHeader)
    .option('--client-id <id>', 'the client to sign in as, if the authorization server does not register clients')
    .option('--callback-port <port>', 'the port for the redirect of the browser (default: any free port)', readPort)
    .option('--verbose', 'show what a started server writes to stderr', false);
}

/** Adds the options for connecting, with a token or a sign-in, and for answering the server. */
export function withSessionOptions(command: Program): Program {
  return withConnectionOptions(command)
    .option('--token <token>', 'the token for a URL (default: SIGIL_TOKEN); without one, you sign in with the browser')
    .option('--sign-in', 'sign in with the browser, even if no token is required', false)
    .option('--answer <field=value>', 'answers a question of the server; may be repeated', readAnswer);
}

/** The options as commander gives them. */
export interface ParsedSessionOptions extends Omit<CommandSessionOptions, 'credentials' | 'shell'>, GivenCredentials {}

/** The options of a session. @throws CliFailure for a token that is not valid */
export function sessionOptions<Options extends ParsedSessionOptions>(
  shell: Shell,
  options: Options,
): Options & CommandSessionOptions {
  return { ...options, shell, credentials: new CommandCredentials(options, shell.env) };
}

/** The target of a command all of whose words are one: a program with its arguments after `--`, or else what `readTarget` reads. */
export function typedTarget(shell: Shell, words: readonly string[], command: Program): TargetReader {
  const isCommand = rawWords(command).includes('--');
  return (signal) => (isCommand ? commandTarget(shell, words) : readTarget(shell, words, signal));
}

/** The arguments of the command line: the target, and those after it. */
export interface TypedWords {
  /** The target, read on demand, so that other mistakes in the arguments are reported first. */
  readonly target: TargetReader;
  readonly rest: readonly string[];
  /** Whether no target was given, so that it is the project of this folder. */
  readonly isImplied: boolean;
}

/**
 * Separates the target from the other arguments: everything after `--`, or else the first argument; or the project of this folder, if the
 * first argument cannot be a target.
 * @param words the arguments without options
 * @param isEntry whether the first argument names an entry of the server, and not a target
 */
export function splitTarget(
  shell: Shell,
  words: readonly string[],
  command: Program,
  isEntry: IsEntry = namesEntry,
): TypedWords {
  const typed = rawWords(command);
  const dashes = typed.indexOf('--');
  if (dashes === -1) {
    const [first, next] = words;
    const isImplied =
      first !== undefined && isEntry(first, next, (path) => existsSync(shell.path(path))) && hasEntry(shell.cwd);
    const count = isImplied ? 0 : 1;
    return {
      target: (signal) => readTarget(shell, words.slice(0, count), signal),
      rest: words.slice(count),
      isImplied,
    };
  }
  const count = typed.length - dashes - 1;
  const target = () => commandTarget(shell, words.slice(words.length - count));
  return { target, rest: words.slice(0, words.length - count), isImplied: false };
}

/** Whether a word names an entry of the server, and not a target. @param next the word after it @param exists whether there is such a file */
type IsEntry = (word: string, next: string | undefined, exists: (path: string) => boolean) => boolean;

/** The arguments as they were typed, `--` included. */
export function rawWords(command: Program): readonly string[] {
  let program: Program = command;
  while (program.parent) program = program.parent;
  // Commander stores and documents them, but does not declare them in its types.
  return (program as Program & { rawArgs: readonly string[] }).rawArgs;
}

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (!(seconds > 0) || seconds > 2_000_000) throw new InvalidArgumentError('It is a number of seconds, such as 10.');
  return seconds;
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new InvalidArgumentError('It is a port, such as 8123.');
  return port;
}

function readHeader(text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const [, name, value] = /^([\w!#$%&'*+.^`|~-]+)\s*:(.*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError("Write it as 'name: value'.");
  const lower = name.toLowerCase();
  if (lower === 'host')
    throw new InvalidArgumentError('Host is always the host of the URL. Write that name in the URL.');
  if (CONNECTION_HEADERS.has(lower)) throw new InvalidArgumentError('The HTTP client sets it. Leave it out.');
  return { ...before, [name]: value.trimStart() };
}

function readAnswer(text: string, before: Readonly<Lists> = {}): Lists {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Write it as field=value.');
  const name = text.slice(0, at);
  return { ...before, [name]: [...(before[name] ?? []), text.slice(at + 1)] };
}
