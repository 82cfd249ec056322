/** The words with which a program is started without a shell. On Windows a batch file needs `cmd.exe`, which must read each word as it is. */
import { statSync } from 'node:fs';
import { win32 } from 'node:path';
import { wrongUsage } from './failure';

/** The environment and the folder in which a program is looked for. */
interface ProgramSearch {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/** What `spawn` is called with. */
export interface StartedWords {
  readonly command: string;
  readonly args: readonly string[];
  /** Whether Windows receives the words as they are: they are quoted. */
  readonly windowsVerbatimArguments: boolean;
}

/** The kinds of files that Windows starts, the last two with `cmd.exe`. */
const EXTENSIONS = ['.com', '.exe', '.bat', '.cmd'];
const BATCH_FILE = /\.(?:bat|cmd)$/i;
/** What `cmd.exe` reads in a special way, also between quotes. */
const SPECIAL = /[()[\]%!^"`<>&|;, *?]/g;
/** Words that need no quotes. */
const PLAIN = /^[\w./:\\@+=-]+$/;

/**
 * The words that start a program.
 * @throws CliFailure for a word with a line break and a batch file: `cmd.exe` would end there
 * @see https://learn.microsoft.com/windows-server/administration/windows-commands/cmd
 */
export function startedWords(command: string, args: readonly string[], surroundings: ProgramSearch): StartedWords {
  const file = process.platform === 'win32' ? findFile(command, surroundings) : undefined;
  if (file === undefined || !BATCH_FILE.test(file)) return { command, args, windowsVerbatimArguments: false };
  const broken = [file, ...args].find((word) => /[\r\n]/.test(word));
  if (broken !== undefined) throw wrongUsage('SIGIL_INSTALL_CMD', { word: JSON.stringify(broken), command });
  // Once for this line, and once for the last one of the batch file: `npx.cmd` and `npm.cmd` of Node pass `%*` on, as those in
  // `node_modules/.bin` do, and cmd.exe reads that line again. There, a quote within a word would end its quotes, and `&` start a program.
  const line = [inQuotes(file), ...args.map((word) => escaped(escaped(quoted(word))))].join(' ');
  const { COMSPEC: shell = 'cmd.exe' } = uppercase(surroundings.env);
  return { command: shell, args: ['/d', '/s', '/c', `"${line}"`], windowsVerbatimArguments: true };
}

/** The file that Windows starts for a name, of those in `PATH`, or for a path. */
function findFile(command: string, { env, cwd }: ProgramSearch): string | undefined {
  const { PATH: path = '' } = uppercase(env);
  const isPath = /[\\/]/.test(command);
  const folders = isPath ? [''] : path.split(';').filter((folder) => folder !== '');
  const names = EXTENSIONS.some((extension) => command.toLowerCase().endsWith(extension))
    ? [command]
    : EXTENSIONS.map((extension) => `${command}${extension}`);
  // With backslashes alone: cmd.exe takes a slash for the end of the name.
  const files = folders.flatMap((folder) => names.map((name) => win32.resolve(cwd, folder, name)));
  return files.find((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
}

/** Names of variables have no case on Windows; a copy of the environment keeps the one that they happen to have. */
function uppercase(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name.toUpperCase(), value]));
}

/** A word as the programs of Windows read it: only backslashes before a quote are special. */
function quoted(word: string): string {
  if (PLAIN.test(word)) return word;
  return `"${word.replace(/(?<!\\)\\+(?="|$)/g, '$&$&').replaceAll('"', '\\"')}"`;
}

/** The path of a file, in which no name is read as a variable: outside of quotes, the escaped `%` belongs to none. */
function inQuotes(file: string): string {
  return `"${file.replaceAll('%', '"^%"')}"`;
}

function escaped(word: string): string {
  return word.replace(SPECIAL, '^$&');
}
