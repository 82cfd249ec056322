/** `sigil dev`: runs a server, restarts it after each change, and keeps its clients connected. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { systemClock } from '@sigil-mcp/core/adapter';
import { CallLines } from '../dev/call-lines';
import { InvalidArgumentError } from 'commander';
import { DevServer } from '../dev/dev-server';
import type { Holder } from '../dev/holder';
import { HttpHolder } from '../dev/http-holder';
import { KEYS, listenToKeys } from '../dev/keys';
import { openIssuer } from '../dev/open-issuer';
import { StdioHolder } from '../dev/stdio-holder';
import type { SourceWatch } from '../dev/source-watch';
import { watchFiles } from '../dev/watch-files';
import { watchProject } from '../dev/watch-project';
import { openInBrowser } from '../questions/open-in-browser';
import { wrongUsage } from '../failure';
import { findMain, findProject } from '../project/find-project';
import { statusOfSignal } from '../terminal/interruption';
import { mention } from '../terminal/mention';
import { report, show } from '../terminal/outlet';
import { own } from '../terminal/own-sequences';
import { stylesFor, wantsColors } from '../terminal/styles';
import { wrapFor } from '../terminal/wrap-text';
import type { RegisterCommand } from './command';

/** Clears the screen and what has scrolled off it, and moves to its beginning. */
const CLEAR = own('\u001b[2J\u001b[3J\u001b[H');

/** The highest port. */
const MOST_PORTS = 65_535;

interface DevOptions {
  readonly http?: boolean;
  readonly port: string;
  readonly host: string;
  readonly drain: string;
  /** A file. */
  readonly issuer?: string;
}

/** Adds the command. */
export const registerDev: RegisterCommand = (program) => {
  program
    .command('dev')
    .description('run a server and restart it after each change, while its clients stay connected')
    .argument('[entry]', 'a TypeScript or JavaScript file; the entry of this project if left out')
    .argument('[args...]', 'arguments for the server')
    .option(
      '--http',
      'listen on a port instead of stdin and stdout; the server receives --http, PORT, HOST and RESOURCE',
    )
    .option('--port <port>', 'of --http', readPort, process.env['PORT'] ?? '3000')
    .option('--host <host>', 'of --http', process.env['HOST'] ?? '127.0.0.1')
    .option(
      '--issuer <file>',
      'of --http: a module that opens an authorization server for development, unless ISSUER is set',
    )
    .option('--drain <seconds>', 'how long running calls may continue after a change', '3')
    .action(async (entry: string | undefined, args: readonly string[], options: DevOptions) => {
      process.exitCode = await develop(entry, args, options);
    });
};

/** Runs until the client closes its connection or the user presses Ctrl-C. @returns the exit status */
async function develop(entry: string | undefined, args: readonly string[], options: DevOptions): Promise<number> {
  const file = entryOf(entry);
  const chosen = { ...options, issuer: await issuerOf(options) };
  const styles = stylesFor(process.stderr);
  const say = (line: string): void => tell(`${styles.dim('sigil dev')} ${line}`);
  return new Promise((finish, fail) => {
    const held = createHolder(args, chosen, {
      onDeath: (end, crash) => server.onDeath(end, crash),
      onHangUp: () => end(0),
    });
    const server: DevServer = new DevServer({
      holder: held.holder,
      folder: findProject(dirname(file)).folder,
      patience: numberOf(options.drain, '--drain') * 1000,
      say,
      styles,
      isTerminal: process.stderr.isTTY,
      address: held.address,
    });
    const end = (status: number): void => {
      forgetKeys();
      Promise.all([watch?.close(), server.close()]).then(() => finish(status), fail);
    };
    let watch: SourceWatch | undefined;
    let forgetKeys = (): void => undefined;
    held
      .open()
      .then(() => {
        if (held.address === undefined && process.stdin.isTTY)
          say('serves MCP on stdin and stdout; AI applications start this command themselves');
        if (held.address !== undefined) forgetKeys = hearKeys(held.address, { server, say, end });
        watch = /\.[cm]?ts$/.test(file) ? watchProject(file, server) : watchFiles(file, server);
        process.once('SIGINT', () => end(statusOfSignal('SIGINT'))).once('SIGTERM', () => end(0));
      }, fail)
      .catch(fail);
  });
}

/** Listens to the keys of the developer, if stdin is a terminal and not the protocol. @returns ends that */
function hearKeys(
  address: string,
  { server, say, end }: { server: DevServer; say: (line: string) => void; end: (status: number) => void },
): () => void {
  if (!process.stdin.isTTY) return () => undefined;
  const help = (): void => say(`keys: ${KEYS}`);
  help();
  return listenToKeys(process.stdin, {
    restart: () => server.restart(),
    open: () => {
      say(address);
      openInBrowser(new URL(address)).catch(mention);
    },
    // Without a terminal as its stdin, it asks no questions.
    inspect: () =>
      void spawn(process.execPath, [process.argv[1] ?? '', 'inspect', address], {
        stdio: ['ignore', 'inherit', 'inherit'],
      }).on('error', mention),
    clear: () => show(process.stderr, CLEAR),
    help,
    quit: (isInterrupted) => end(isInterrupted ? statusOfSignal('SIGINT') : 0),
  });
}

interface Held {
  readonly holder: Holder;
  /** The URL for clients; undefined for stdin and stdout. */
  readonly address: string | undefined;
  open(): Promise<void>;
}

function createHolder(
  args: readonly string[],
  { http, port, host, issuer }: Omit<DevOptions, 'issuer'> & { readonly issuer: string | undefined },
  events: Pick<ConstructorParameters<typeof StdioHolder>[0], 'onDeath' | 'onHangUp'>,
): Held {
  // The same for every server, so that the state that clients carry between two rounds of a call stays valid after a restart.
  const secret = process.env['SIGIL_SECRETS'] ?? randomBytes(32).toString('base64url');
  const environment = { ...process.env, SIGIL_SECRETS: secret, ...terminalVariables() };
  const calls = callLines();
  if (!http) {
    const child = { args, environment };
    const holder = new StdioHolder({ input: process.stdin, output: process.stdout, child, calls, ...events });
    return { holder, address: undefined, open: () => Promise.resolve() };
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
  const child = { args: ['--http', ...args], environment: known };
  const holder = new HttpHolder({ port: number, host, child, calls, onDeath: events.onDeath });
  return { holder, address, open: () => holder.listen() };
}

/** The server writes through our process, so it cannot see itself whether people read its output at a terminal. */
function terminalVariables(): NodeJS.ProcessEnv {
  const { SIGIL_LOG_FORMAT, FORCE_COLOR } = process.env;
  return {
    ...(process.stderr.isTTY && SIGIL_LOG_FORMAT === undefined && { SIGIL_LOG_FORMAT: 'pretty' }),
    ...(wantsColors(process.stderr) && FORCE_COLOR === undefined && { FORCE_COLOR: '1' }),
  };
}

/** The lines of calls, if the log of the server is for people. */
function callLines(): CallLines | undefined {
  const { SIGIL_LOG_FORMAT: format = process.stderr.isTTY ? 'pretty' : 'json' } = process.env;
  if (format !== 'pretty') return undefined;
  return new CallLines({ write: tell, styles: stylesFor(process.stderr), clock: systemClock });
}

/** Prints a line for the developer, wrapped between words at a terminal. */
function tell(line: string): void {
  report(wrapFor(process.stderr, line));
}

/** The URL of the issuer that `--issuer` opens; undefined if there is another one. */
async function issuerOf({ http, host, port, issuer }: DevOptions): Promise<string | undefined> {
  if (issuer === undefined || !http || process.env['ISSUER'] !== undefined) return undefined;
  return openIssuer(issuer, process.env['RESOURCE'] ?? addressOf(host, port).address);
}

/** The default path of a server; the server behind it gets another port each time. */
function addressOf(host: string, port: string): { readonly origin: string; readonly address: string } {
  const origin = `http://${host}:${numberOf(port, '--port')}`;
  return { origin, address: `${origin}/mcp` };
}

function entryOf(entry: string | undefined): string {
  const file = entry === undefined ? findMain(process.cwd()) : resolve(entry);
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
