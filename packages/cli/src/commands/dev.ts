/** `sigil dev`: runs a server, restarts it after each change, and keeps its clients connected. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isObject, systemClock } from '@sigil-mcp/base';
import { CallLines } from '../dev/call-lines';
import { InvalidArgumentError } from 'commander';
import { DevServer } from '../dev/dev-server';
import { Holder, type HolderOptions } from '../dev/holder';
import { HttpLine } from '../dev/http-line';
import { KEYS, listenToKeys } from '../dev/keys';
import type { Inspector, InspectorPackage } from '../dev/inspector';
import { StdioLine, type StdioLineOptions } from '../dev/stdio-line';
import type { SourceWatch } from '../dev/tap';
import { watchFiles } from '../dev/watch-files';
import { watchProject } from '../dev/watch-project';
import { installationOf } from '../command-packages/open-command';
import { openInBrowser } from '../questions/open-in-browser';
import { failure, reasonOf, wrongUsage } from '../failure';
import { preparePrivateFile } from '../new-file';
import { findMain, findProject, loadPackage, OWN_PLACE } from '../project/find-project';
import { statusOfSignal } from '../terminal/interruption';
import { mention } from '../terminal/mention';
import { show } from '../terminal/outlet';
import { own } from '../terminal/own-sequences';
import { wantsColors } from '../terminal/styles';
import { wrapFor } from '../terminal/wrap-text';
import { checkInside, isBelow } from '../write-files';
import type { RegisterCommand } from '../command-packages/command-package';
import type { Shell } from '../terminal/shell';

/** Clears the screen and what has scrolled off it, and moves to its beginning. */
const CLEAR = own('\u001b[2J\u001b[3J\u001b[H');

/** Hosts whose ports can be reached at 127.0.0.1. */
const ON_LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '0.0.0.0', '::']);

/** The package of the page. */
const INSPECTOR = '@sigil-mcp/inspector';

/** The highest port. */
const MOST_PORTS = 65_535;

interface DevOptions {
  readonly http?: boolean;
  readonly port: string;
  readonly host: string;
  readonly drain: string;
  /** A file. */
  readonly issuer?: string;
  /** False with `--no-page`. */
  readonly page: boolean;
  /** A file for the calls of clients. */
  readonly record?: string;
}

/** The options, with the URL of the issuer in place of its file. */
interface ChosenOptions extends Omit<DevOptions, 'issuer'> {
  readonly issuer: string | undefined;
}

/** Adds the command. */
export const registerDev: RegisterCommand = (program, shell) => {
  program
    .command('dev')
    .description('run a server and restart it after each change, while its clients stay connected')
    .argument('[entry]', 'a TypeScript or JavaScript file; the entry of this project if left out')
    .argument('[args...]', 'arguments for the server')
    .option(
      '--http',
      'listen on a port instead of stdin and stdout; the server receives --http, PORT, HOST and RESOURCE',
    )
    .option('--port <port>', 'of --http', readPort, shell.env['PORT'] ?? '3000')
    .option('--host <host>', 'of --http', shell.env['HOST'] ?? '127.0.0.1')
    .option(
      '--issuer <file>',
      'of --http: a module that opens an authorization server for development, unless ISSUER is set',
    )
    .option('--no-page', 'serve no page with the traffic, the mistakes and the tools of the server')
    .option('--record <file>', 'append the calls of clients to a file, for sigil replay; sensitive values are left out')
    .option('--drain <seconds>', 'how long running calls may continue after a change', '3')
    .action(async (entry: string | undefined, args: readonly string[], options: DevOptions) => {
      shell.status = await develop(shell, { entry, args }, options);
    });
};

/** The file of a server, and its arguments. */
interface TypedServer {
  readonly entry: string | undefined;
  readonly args: readonly string[];
}

/** Runs until the client closes its connection or the user presses Ctrl-C. @returns the exit status */
async function develop(shell: Shell, { entry, args }: TypedServer, options: DevOptions): Promise<number> {
  const file = entryOf(shell, entry);
  const { folder } = findProject(dirname(file));
  const record = options.record === undefined ? undefined : recordingAt(shell, options.record);
  const chosen = { ...options, issuer: await issuerOf(shell.env, options), ...(record !== undefined && { record }) };
  const { errorStyles: styles } = shell;
  const say = (line: string): void => tell(shell, `${styles.dim('sigil dev')} ${line}`);
  const page = pageOf(chosen, { folder, args, program: () => server.program });
  let server: DevServer;
  return new Promise((finish, fail) => {
    const onDeath: HolderOptions['onDeath'] = (end, crash) => server.onDeath(end, crash);
    const held = createHolder(shell, { ...chosen, args }, { onDeath, onHangUp: () => end(0), page });
    server = new DevServer({
      holder: held.holder,
      folder,
      ...{ say, styles, isTerminal: shell.stderr.isTTY === true, address: held.address },
      patience: numberOf(options.drain, '--drain') * 1000,
      listener: page?.state,
    });
    const end = (status: number): void => {
      forgetKeys();
      stopHearing();
      Promise.all([watch?.close(), page?.close(), server.close()]).then(() => finish(status), fail);
    };
    let watch: SourceWatch | undefined;
    let [forgetKeys, stopHearing] = [(): void => undefined, (): void => undefined];
    held
      .open()
      .then(async () => {
        const pageUrl = page?.urlAt(await held.portOf(page));
        if (options.page) say(pageUrl === undefined ? noPage(shell) : `page: ${styles.bold(pageUrl)}`);
        forgetKeys = greet(held.address, { shell, restart: () => watch?.again(), say, end, pageUrl });
        watch = watchSources(shell, file, server);
        stopHearing = shell.hearSignals((name) => end(statusAfter(name)), ['SIGINT', 'SIGTERM']);
      }, fail)
      .catch(fail);
  });
}

/** SIGTERM is the usual end. */
function statusAfter(name: NodeJS.Signals): number {
  return name === 'SIGINT' ? statusOfSignal(name) : 0;
}

/**
 * The path of the file for calls.
 * @throws CliFailure if it cannot be written
 */
function recordingAt(shell: Shell, file: string): string {
  const path = shell.path(file);
  // What a repository calls the same may be a link to a file of the user.
  checkInside(path, shell.cwd);
  if (isBelow(shell.cwd, path) && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
    throw failure('SIGIL_RECORD_FILE', { file, reason: 'it is a link' });
  try {
    preparePrivateFile(path);
  } catch (error) {
    throw failure('SIGIL_RECORD_FILE', { file, reason: reasonOf(error) });
  }
  return path;
}

function watchSources(shell: Shell, file: string, server: DevServer): SourceWatch {
  return /\.[cm]?ts$/.test(file) ? watchProject(shell, file, server) : watchFiles(file, server);
}

/** The page, whose package is loaded only here; undefined with `--no-page`, and if there is no such package. */
function pageOf(
  { page, http, host, port, issuer }: ChosenOptions,
  { folder, args, program }: { folder: string; args: readonly string[]; program: () => string | undefined },
): Inspector | undefined {
  const found = page ? loadPackage<InspectorPackage>(INSPECTOR, [OWN_PLACE, join(folder, 'package.json')]) : undefined;
  const address = http ? addressOf(host, port).address : undefined;
  return found?.openInspector({ folder, args, program, issuer, address });
}

/** What brings the page. */
function noPage(shell: Shell): string {
  return `no page: install its package with ${installationOf(shell, { package: INSPECTOR })}`;
}

/** What the developer can do at the terminal. */
interface AtTerminal {
  readonly shell: Shell;
  readonly restart: () => void;
  readonly say: (line: string) => void;
  readonly end: (status: number) => void;
  /** The URL of the page; undefined without one. */
  readonly pageUrl: string | undefined;
}

/** Says at a terminal what the command does. @returns ends the listening to keys */
function greet(address: string | undefined, terminal: AtTerminal): () => void {
  if (address !== undefined) return hearKeys(address, terminal);
  if (terminal.shell.stdin.isTTY)
    terminal.say('serves MCP on stdin and stdout; AI applications start this command themselves');
  return () => undefined;
}

/** Listens to the keys of the developer, if stdin is a terminal and not the protocol. @returns ends that */
function hearKeys(address: string, { shell, restart, say, end, pageUrl }: AtTerminal): () => void {
  if (!shell.stdin.isTTY) return () => undefined;
  const help = (): void => say(`keys: ${KEYS}`);
  help();
  return listenToKeys(shell.stdin, {
    restart,
    open: () => {
      say(address);
      openInBrowser(new URL(address)).catch(mention);
    },
    page: () => {
      say(pageUrl ?? 'There is no page: it was left out with --no-page, or its package is not installed.');
      if (pageUrl !== undefined) openInBrowser(new URL(pageUrl)).catch(mention);
    },
    // Without a terminal as its stdin, it asks no questions.
    inspect: () =>
      void spawn(process.execPath, [process.argv[1] ?? '', 'inspect', address], {
        stdio: ['ignore', 'inherit', 'inherit'],
      }).on('error', mention),
    clear: () => show(shell.stderr, CLEAR),
    help,
    quit: (isInterrupted) => end(isInterrupted ? statusOfSignal('SIGINT') : 0),
  });
}

interface Held {
  readonly holder: Holder;
  /** The URL for clients; undefined for stdin and stdout. */
  readonly address: string | undefined;
  open(): Promise<void>;
  /** The port on which the page is served. */
  portOf(page: Inspector): Promise<number>;
}

interface HolderEvents extends Pick<HolderOptions, 'onDeath'>, Pick<StdioLineOptions, 'onHangUp'> {
  readonly page: Inspector | undefined;
}

function createHolder(
  shell: Shell,
  { args, http, port, host, issuer, record }: ChosenOptions & { readonly args: readonly string[] },
  { page, onDeath, onHangUp }: HolderEvents,
): Held {
  // The same for every server, so that the state that clients carry between two rounds of a call stays valid after a restart.
  const secret = shell.env['SIGIL_SECRETS'] ?? randomBytes(32).toString('base64url');
  const environment = { ...shell.env, SIGIL_SECRETS: secret, ...terminalVariables(shell) };
  const calls = callLines(shell);
  if (!http) {
    const child = { args, environment, watcher: page?.state, recording: record };
    const [input, output] = [shell.stdin, shell.stdout];
    const [tap, second, questions] = [page?.tap, page?.second, page?.questions];
    const holder = new Holder(new StdioLine({ input, output, calls, tap, second, questions, onHangUp }), {
      child,
      onDeath,
    });
    return { holder, address: undefined, open: () => Promise.resolve(), portOf: (served) => served.listen() };
  }
  const number = numberOf(port, '--port');
  const { origin, address } = addressOf(host, port);
  // Tokens are issued for the URL that clients know, so the server has to use that URL as its own.
  const known = {
    RESOURCE: address,
    ...(issuer !== undefined && { ISSUER: issuer }),
    ...environment,
    SIGIL_DEV_ORIGIN: origin,
  };
  const child = { args: ['--http', ...args], environment: known, watcher: page?.state, recording: record };
  const [tap, front, questions] = [page?.tap, page?.front, page?.questions];
  const line = new HttpLine({ port: number, host, calls, tap, front, questions });
  return {
    holder: new Holder(line, { child, onDeath }),
    address,
    open: () => line.listen(),
    portOf: async (served) => (ON_LOOPBACK.has(host) ? line.port : served.listen()),
  };
}

/** The URL of the issuer that `--issuer` opens; undefined if there is another one. */
async function issuerOf(env: NodeJS.ProcessEnv, { http, host, port, issuer }: DevOptions): Promise<string | undefined> {
  if (issuer === undefined || !http || env['ISSUER'] !== undefined) return undefined;
  return openIssuer(issuer, env['RESOURCE'] ?? addressOf(host, port).address);
}

/** The default path of a server; the server behind it gets another port each time. */
function addressOf(host: string, port: string): { readonly origin: string; readonly address: string } {
  const origin = `http://${host}:${numberOf(port, '--port')}`;
  return { origin, address: `${origin}/mcp` };
}

function entryOf(shell: Shell, entry: string | undefined): string {
  const file = entry === undefined ? findMain(shell.cwd) : shell.path(entry);
  if (existsSync(file)) return file;
  throw wrongUsage('SIGIL_DEV_FILE', { file });
}

/** @throws InvalidArgumentError, also without --http, because the option was meant to have an effect */
function readPort(text: string): string {
  if (/^\d{1,5}$/.test(text) && Number(text) <= MOST_PORTS) return text;
  throw new InvalidArgumentError(`It is a port from 0 to ${MOST_PORTS}; 0 is any free port.`);
}

function numberOf(text: string, option: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value >= 0) return value;
  throw wrongUsage('SIGIL_CLI_NUMBER', { option, value: JSON.stringify(text) });
}

/** The server writes through our process, so it cannot see itself whether people read its output at a terminal. */
function terminalVariables({ stderr, env }: Shell): NodeJS.ProcessEnv {
  const { SIGIL_LOG_FORMAT, FORCE_COLOR } = env;
  return {
    ...(stderr.isTTY && SIGIL_LOG_FORMAT === undefined && { SIGIL_LOG_FORMAT: 'pretty' }),
    ...(wantsColors(stderr, env) && FORCE_COLOR === undefined && { FORCE_COLOR: '1' }),
  };
}

/** The lines of calls, if the log of the server is for people. */
function callLines(shell: Shell): CallLines | undefined {
  const { SIGIL_LOG_FORMAT: format = shell.stderr.isTTY ? 'pretty' : 'json' } = shell.env;
  if (format !== 'pretty') return undefined;
  return new CallLines({ write: (line) => tell(shell, line), styles: shell.errorStyles, clock: systemClock });
}

/** Prints a line for the developer, wrapped between words at a terminal. */
function tell(shell: Shell, line: string): void {
  shell.report(wrapFor(shell.stderr, line));
}

/**
 * Opens the authorization server of a project for development: one for all versions of the server, so that tokens stay valid.
 * @param file a module that exports `openIssuer(resource)`
 * @param resource the URL of the server that tokens are issued for
 * @returns its URL
 * @throws CliFailure if the file does not exist, or opens no issuer
 */
async function openIssuer(file: string, resource: string): Promise<string> {
  const path = resolve(file);
  if (!existsSync(path)) throw wrongUsage('SIGIL_DEV_FILE', { file: path });
  const opened = await openedBy(path, resource).catch((error: unknown) => {
    throw failure('SIGIL_DEV_ISSUER', { file, reason: reasonOf(error).replace(/\.$/, '') });
  });
  if (isObject(opened) && typeof opened['url'] === 'string') return opened['url'];
  throw failure('SIGIL_DEV_ISSUER', { file, reason: 'openIssuer() returns no object with a url' });
}

async function openedBy(path: string, resource: string): Promise<unknown> {
  const module = (await import(pathToFileURL(path).href)) as { openIssuer?: unknown };
  // A function of the project, which may return anything.
  const opening = module.openIssuer as ((resource: string) => unknown) | undefined;
  return opening?.(resource);
}
