/** The server to install: the project around a folder, a compiled file, a URL, or a command. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve, sep, win32 } from 'node:path';
import { isObject } from '@sigil-mcp/base';
import { commandFailures, findMain, findProject, isBareAddress, readObject } from '@sigil-mcp/cli/kit';
import type { Application, Scope, InstalledAddress, InstalledProgram } from './client';
import { failure, wrongUsage } from './errors';

/**
 * A program with its arguments.
 *
 * A command as an application starts it: without a shell, so that Windows needs its own program for batch files.
 */
interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

/** Programs of package managers, which are batch files on Windows. */
const BATCH_FILES: ReadonlySet<string> = new Set(['npx', 'npm', 'pnpm', 'pnpx', 'yarn', 'yarnpkg', 'corepack']);

/** What cmd.exe would take for its own, in quotes or not. */
const SPECIAL = /[&|<>^"\r\n]|%[^%]+%/;

/** Claude Code and Codex accept no other characters. No name is special to a shell, a path or an object of JavaScript. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** What the user has chosen besides the target. */
export interface ServerChoice {
  readonly client: Application;
  readonly scope: Scope;
  /** The folder of the project that the settings belong to. */
  readonly project: string;
  /** The current folder, for a path that was typed. */
  readonly cwd: string;
  /** The system of the application. */
  readonly platform: NodeJS.Platform;
  readonly name?: string | undefined;
  /** Start it with `sigil dev`. */
  readonly dev?: boolean | undefined;
  readonly tokenVariable?: string | undefined;
  /** Whether the words are a command, and no target. */
  readonly isCommand: boolean;
}

/** A server without the values of its variables. */
export interface ChosenServer {
  readonly server: InstalledAddress | Omit<InstalledProgram, 'variables'>;
  /** The folder whose `.env.example` lists the variables, if it is a project. */
  readonly folder?: string;
}

/** @throws CliFailure if the words are no server, or a project is not compiled */
export function chooseServer(words: readonly string[], choice: ServerChoice): ChosenServer {
  const [first, ...rest] = words;
  if (choice.isCommand) return { server: program(words, nameOfCommand(words), choice) };
  if (first === undefined) return projectServer(choice.project, choice);
  if (rest.length > 0) throw wrongUsage('SIGIL_INSTALL_TARGET', { target: words.join(' ') });
  if (/^https?:/i.test(first)) return { server: address(first, choice) };
  const path = resolve(choice.cwd, first);
  if (existsSync(path)) {
    if (statSync(path).isDirectory()) return projectServer(findProject(path).folder, choice);
    if (/^\.[cm]?js$/.test(extname(path)))
      return { server: program(['node', path], basename(path, extname(path)), choice), folder: dirname(path) };
  } else if (isBareAddress(first)) return { server: address(`http://${first}`, choice) };
  throw wrongUsage('SIGIL_INSTALL_TARGET', { target: first });
}

/** The name of the server of a project: that of its package. */
export function nameOfProject(folder: string): string {
  const { name } = readObject(join(folder, 'package.json'));
  return proposeServerName(typeof name === 'string' ? name : basename(folder));
}

function program(words: readonly string[], name: string, choice: ServerChoice): ChosenServer['server'] {
  const [command = '', ...args] = words;
  if (command === '') throw wrongUsage('SIGIL_INSTALL_TARGET', { target: '' });
  const started = withoutShell({ command, args }, choice.platform);
  return { kind: 'program', name: checkServerName(choice.name ?? proposeServerName(name)), ...started };
}

function address(url: string, { name, project, tokenVariable }: ServerChoice): InstalledAddress {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  // A password in a URL would end up in a file and in logs.
  if (!parsed || parsed.username !== '' || parsed.password !== '')
    throw wrongUsage('SIGIL_INSTALL_TARGET', { target: url });
  const isHere = /^(?:localhost|127\.|\[::1\])/.test(parsed.hostname);
  const proposed = isHere ? nameOfProject(project) : proposeServerName(parsed.hostname);
  return {
    kind: 'address',
    name: checkServerName(name ?? proposed),
    url: parsed.href,
    ...(tokenVariable !== undefined && { tokenVariable }),
  };
}

function projectServer(folder: string, choice: ServerChoice): ChosenServer {
  const { client, scope, project, dev } = choice;
  // Settings that move with the project have no path of this machine.
  const isShared = scope === 'project' && folder === project;
  const place = (file: string): string => {
    const inside = relative(folder, file).split(sep).join('/');
    return isShared ? [client.projectFolder ?? [], inside].flat().join('/') : file;
  };
  const isInFolder = isShared && client.projectFolder === undefined;
  // With Node and a file, as every system starts it.
  const words = dev
    ? ['node', place(commandFile(folder)), 'dev', ...(isInFolder ? [] : [place(findMain(folder))])]
    : ['node', place(builtFile(folder, client))];
  return { server: program(words, nameOfProject(folder), choice), folder };
}

/** The program of `sigil` that a project has; in a workspace, it may be in a folder above. */
function commandFile(folder: string): string {
  const path = join('node_modules', '@sigil-mcp', 'cli', 'dist', 'main.js');
  for (let above = folder; ; above = dirname(above)) {
    if (existsSync(join(above, path))) return join(above, path);
    if (dirname(above) === above) return join(folder, path);
  }
}

/** The compiled program of a project: its `bin`, its `main`, or dist/main.js. @throws CliFailure if an application cannot start it */
function builtFile(folder: string, client: Application): string {
  const { bin, main } = readObject(join(folder, 'package.json'));
  const [named] = typeof bin === 'string' ? [bin] : isObject(bin) ? Object.values(bin) : [];
  const file = resolve(folder, [named, main].find((path) => typeof path === 'string') ?? join('dist', 'main.js'));
  if (!existsSync(file)) throw failure('SIGIL_INSTALL_NOT_BUILT', { file });
  if (servesHttpOnly(folder, file)) throw failure('SIGIL_INSTALL_HTTP_ONLY', { folder, client: client.id });
  return file;
}

/** Whether no compiled file of a project of Sigil loads the transport for stdio. */
function servesHttpOnly(folder: string, file: string): boolean {
  const { dependencies } = readObject(join(folder, 'package.json'));
  if (!isObject(dependencies) || !Object.hasOwn(dependencies, '@sigil-mcp/core')) return false;
  const built = dirname(file);
  if (built === folder) return false;
  const files = readdirSync(built, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.[cm]?js$/.test(path))
    .map((path) => join(built, path))
    .filter((path) => existsSync(path) && statSync(path).isFile());
  return !files.some((path) => /@sigil-mcp\/core\/stdio["']/.test(readFileSync(path, 'utf8')));
}

/** `npx -y @you/notes-mcp@1.2.3 --flag` -> `notes-mcp` */
function nameOfCommand(words: readonly string[]): string {
  const [command = '', ...args] = words;
  const word = args.find((arg) => !/^(?:-|\/c$)/i.test(arg) && !/^(?:npx|npm)$/.test(arg)) ?? command;
  const [name = word] = /^(?:@[^/@]+\/)?[^@]+/.exec(word) ?? [];
  return basename(name).replace(/\.[cm]?[jt]s$/, '');
}

/** @throws CliFailure for a name that some application refuses */
function checkServerName(name: string): string {
  if (NAME.test(name)) return name;
  throw wrongUsage('SIGIL_INSTALL_NAME', { name: JSON.stringify(name), proposal: proposeServerName(name) });
}

/** A valid name that is made of any text, such as the name of a package. */
function proposeServerName(text: string): string {
  const name = text
    .replace(/^@[^/]*\//, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|(?<!-)-+$/g, '')
    .slice(0, 64);
  return name === '' ? 'server' : name;
}

/**
 * On Windows, a batch file is run by `cmd /c`; every other command is unchanged.
 * @throws CliFailure for an argument that would be another one for cmd.exe
 * @see https://learn.microsoft.com/windows-server/administration/windows-commands/cmd
 */
export function withoutShell({ command, args }: Command, platform: NodeJS.Platform): Command {
  const isBatch = /\.(?:cmd|bat)$/i.test(command) || BATCH_FILES.has(win32.basename(command).toLowerCase());
  if (platform !== 'win32' || !isBatch) return { command, args };
  const special = [command, ...args].find((word) => SPECIAL.test(word));
  if (special !== undefined)
    throw commandFailures.wrongUsage('SIGIL_INSTALL_CMD', { word: JSON.stringify(special), command });
  // A line that begins with a quote would lose it.
  return { command: 'cmd', args: ['/c', ...(/\s/.test(command) ? ['call'] : []), command, ...args] };
}
