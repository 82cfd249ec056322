/** From the arguments of a command line to a target. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { extname, isAbsolute, join, relative, sep } from 'node:path';
import { noServer, wrongUsage } from '../failure';
import { compileApart } from '../project/compile-apart';
import { findEntry } from '../project/find-project';
import { type ProgramTarget, type ServerTarget, isBareAddress } from './target';
import type { Shell } from '../terminal/shell';

/** A word of a command line: adjacent bare characters, escapes and quoted parts. */
const WORD = /(?:[^\s'"\\]|\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*")+/y;

const PART = /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\]+)/g;

/** The first character of a part of a path after a backslash; these characters need no escape. */
const NAME = /[\p{L}\p{N}._@-]/u;

/** The beginning of a Windows path: a drive, a share, `.` or `..`, with a backslash. */
const WINDOWS_PATH = /"?(?:[a-z]:\\|\\\\[^\\\s'"]|\.\.?\\)/iy;

const WINDOWS_WORD = /(?:[^\s'"]|'[^']*'|"[^"]*")+/y;

const WINDOWS_QUOTED = /'([^']*)'|"([^"]*)"/g;

/** A Windows program, up to its extension: its folders may have spaces without quotes. */
const WINDOWS_PROGRAM = /[a-z]:\\(?:[^\\'"]*\\)*?[^\\\s'"]+\.(?:exe|cmd|bat|com)(?=\s|$)/iy;

/** The module that serves the export of a file, if the file does not serve itself. */
const PRELOAD = join(__dirname, 'preload.js');
/** The module that reports an uncaught error of the program to us. */
const REPORT_CRASH = join(__dirname, '..', 'causes', 'report-crash.js');
/** The module that reports what the server declares and the protocol does not list. */
const REPORT_ENTRIES = join(__dirname, '..', 'declared', 'report-entries.js');
/** The module that reports what the program writes to stdout besides messages. */
const REPORT_STRAY = join(__dirname, '..', 'causes', 'report-stray.js');

/** What runs a file that is one of its arguments. */
const RUNTIME = /^(?:.*[\\/])?(?:node|bun|deno|tsx|ts-node)(?:\.exe)?$/i;
/** Variables of Sigil that are secret, such as `SIGIL_TOKEN`, `SIGIL_SECRETS` and `SIGIL_AUDIT_SECRET`. */
const CREDENTIAL = /^SIGIL_\w*(?:TOKEN|SECRET|KEY)S?$/i;

/**
 * Reads a target: a URL, also without `http://`, a file, a command line in one argument, or the words of a command; without arguments, the project around
 * the current folder.
 * @param signal stops the compiler
 * @throws CliFailure if the target is not valid
 */
export async function readTarget(shell: Shell, words: readonly string[], signal: AbortSignal): Promise<ServerTarget> {
  const [first, ...rest] = words;
  // The project is around the folder, also in a folder of its own.
  if (first === undefined) return { ...(await fileTarget(shell, findEntry(shell.cwd), signal)), env: shell.env };
  if (rest.length > 0) return commandTarget(shell, words);
  if (/^https?:/i.test(first)) return urlTarget(first);
  if (existsSync(shell.path(first))) return pathTarget(shell, first, signal);
  if (isBareAddress(first)) return urlTarget(`http://${first}`);
  const [command, ...args] = splitCommandLine(first);
  if (command !== undefined && args.length > 0) return commandTarget(shell, [command, ...args]);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(first)) {
    throw wrongUsage('SIGIL_CLI_TARGET_SCHEME', { target: first });
  }
  throw noServer('SIGIL_CLI_TARGET_FILE', { target: first });
}

/**
 * A command, which is started as given.
 * @throws CliFailure if there are no words
 */
export function commandTarget(shell: Shell, [command, ...args]: readonly string[]): ProgramTarget {
  if (command === undefined) throw wrongUsage('SIGIL_CLI_TARGET_COMMAND');
  const label = [command, ...args].join(' ');
  return { kind: 'command', command, args, label, cwd: shell.cwd, env: environmentOf(shell, [command, ...args]) };
}

/** The same target; if Node runs it, its process also reports what its server declares about its entries. */
export function reportingTarget(target: ServerTarget): ServerTarget {
  if (target.kind === 'url' || target.file === undefined) return target;
  return { ...target, args: ['--require', REPORT_ENTRIES, ...target.args] };
}

function urlTarget(text: string): ServerTarget {
  if (!URL.canParse(text)) throw wrongUsage('SIGIL_CLI_TARGET_URL', { target: text });
  return { kind: 'url', url: new URL(text) };
}

function pathTarget(shell: Shell, typed: string, signal: AbortSignal): Promise<ProgramTarget> {
  const path = shell.path(typed);
  if (!statSync(path).isDirectory()) return fileTarget(shell, path, signal, typed);
  const entry = findEntry(path);
  // "." is no name of a program.
  return fileTarget(shell, entry, signal, shell.shown(entry));
}

async function fileTarget(shell: Shell, path: string, signal: AbortSignal, label = path): Promise<ProgramTarget> {
  const extension = extname(path);
  if (/^\.[cm]?js$/.test(extension)) return nodeTarget(shell, path, { label, file: path });
  if (/^\.[cm]?ts$/.test(extension))
    return nodeTarget(shell, await compileApart(shell, path, signal), { label, file: path });
  if (!isExecutable(path)) throw noServer('SIGIL_CLI_TARGET_PROGRAM', { target: label });
  return { kind: 'command', command: path, args: [], label, cwd: shell.cwd, env: environmentOf(shell, [path]) };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function nodeTarget(shell: Shell, path: string, named: Required<Pick<ProgramTarget, 'label' | 'file'>>): ProgramTarget {
  const args = [
    '--enable-source-maps',
    '--require',
    REPORT_CRASH,
    '--require',
    REPORT_STRAY,
    '--require',
    PRELOAD,
    path,
  ];
  const env = environmentOf(shell, [named.file]);
  return { kind: 'command', command: process.execPath, args, ...named, cwd: shell.cwd, env };
}

/**
 * What a program inherits: everything, except that a program from elsewhere has no credentials of Sigil, which are for the servers of the
 * project and for addresses.
 */
function environmentOf(shell: Shell, [command = '', ...args]: readonly string[]): NodeJS.ProcessEnv {
  const program = RUNTIME.test(command) ? args.find((word) => existsSync(shell.path(word))) : command;
  if (program !== undefined && isOfFolder(shell, program)) return shell.env;
  return Object.fromEntries(Object.entries(shell.env).filter(([name]) => !CREDENTIAL.test(name)));
}

/** Whether a word is a file of the folder, and not of a package that is installed there. */
function isOfFolder(shell: Shell, word: string): boolean {
  const path = relative(shell.cwd, shell.path(word));
  if (isAbsolute(path) || path.split(sep).some((part) => part === '..' || part === 'node_modules')) return false;
  return existsSync(shell.path(word)) && statSync(shell.path(word)).isFile();
}

/**
 * Splits a command line into words. Quotes keep a word together, and a backslash escapes the next character. A backslash
 * between the parts of a path is kept: before a letter, a digit or one of `. _ @ -` (`src\main.js`), and everywhere in a
 * word that begins as a Windows path (`C:\`, `\\server`, `.\`, `..\`), where it escapes nothing. A program at the beginning
 * of the line needs no quotes for spaces in its folders, if its name ends with an extension of programs
 * (`C:\Program Files\nodejs\node.exe server.js`).
 * @param line such as `node "my server.js" --port 3000`
 * @throws CliFailure if a quote is not closed
 */
export function splitCommandLine(line: string): string[] {
  const text = line.trim();
  const program = matchAt(WINDOWS_PROGRAM, text, 0);
  const words = program === undefined ? [] : [program];
  for (let at = afterSpace(text, program?.length ?? 0); at < text.length;) {
    const isPath = matchAt(WINDOWS_PATH, text, at) !== undefined;
    const word = matchAt(isPath ? WINDOWS_WORD : WORD, text, at);
    if (word === undefined) throw wrongUsage('SIGIL_CLI_QUOTE', { line });
    words.push(isPath ? word.replace(WINDOWS_QUOTED, '$1$2') : unquote(word));
    at = afterSpace(text, at + word.length);
  }
  return words;
}

/** @param pattern a sticky pattern, which matches at a given position */
function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  return new RegExp(pattern).exec(text.slice(at))?.[0];
}

function afterSpace(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text.charAt(at))) at++;
  return at;
}

function unquote(word: string): string {
  return word.replace(PART, (...[, single, double, escaped, bare]: (string | undefined)[]) => {
    if (escaped !== undefined) return NAME.test(escaped) ? `\\${escaped}` : escaped;
    // Within double quotes a backslash is literal, unless one of these characters follows.
    return single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? bare ?? '';
  });
}
