/** `sigil dev`: runs a server, restarts it after each change, and keeps its clients connected. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DevServer } from '../dev/dev-server';
import type { Holder } from '../dev/holder';
import { HttpHolder } from '../dev/http-holder';
import { StdioHolder } from '../dev/stdio-holder';
import type { SourceWatch } from '../dev/source-watch';
import { watchFiles } from '../dev/watch-files';
import { watchProject } from '../dev/watch-project';
import { wrongUsage } from '../failure';
import { findMain, findProject } from '../project/find-project';
import { statusOfSignal } from '../terminal/interruption';
import { report } from '../terminal/outlet';
import { stylesFor } from '../terminal/styles';
import type { RegisterCommand } from './command';

interface DevOptions {
  readonly http?: boolean;
  readonly port: string;
  readonly host: string;
  readonly drain: string;
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
    .option('--port <port>', 'of --http', process.env['PORT'] ?? '3000')
    .option('--host <host>', 'of --http', process.env['HOST'] ?? '127.0.0.1')
    .option('--drain <seconds>', 'how long running calls may continue after a change', '3')
    .action(async (entry: string | undefined, args: readonly string[], options: DevOptions) => {
      process.exitCode = await develop(entry, args, options);
    });
};

/** Runs until the client closes its connection or the user presses Ctrl-C. @returns the exit status */
async function develop(entry: string | undefined, args: readonly string[], options: DevOptions): Promise<number> {
  const file = entryOf(entry);
  const styles = stylesFor(process.stderr);
  const say = (line: string): void => report(`${styles.dim('sigil dev')} ${line}`);
  return new Promise((finish, fail) => {
    const held = createHolder(args, options, {
      onDeath: (end, crash) => server.onDeath(end, crash),
      onHangUp: () => end(0),
    });
    const server: DevServer = new DevServer({
      holder: held.holder,
      folder: findProject(dirname(file)).folder,
      patience: numberOf(options.drain, '--drain') * 1000,
      say,
      styles,
      address: held.address,
    });
    const end = (status: number): void => {
      Promise.all([watch?.close(), server.close()]).then(() => finish(status), fail);
    };
    let watch: SourceWatch | undefined;
    held
      .open()
      .then(() => {
        if (held.address === undefined && process.stdin.isTTY)
          say('serves MCP on stdin and stdout; AI applications start this command themselves');
        watch = /\.[cm]?ts$/.test(file) ? watchProject(file, server) : watchFiles(file, server);
        process.once('SIGINT', () => end(statusOfSignal('SIGINT'))).once('SIGTERM', () => end(0));
      }, fail)
      .catch(fail);
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
  { http, port, host }: DevOptions,
  events: Pick<ConstructorParameters<typeof StdioHolder>[0], 'onDeath' | 'onHangUp'>,
): Held {
  // The same for every server, so that the state that clients carry between two rounds of a call stays valid after a restart.
  const secret = process.env['SIGIL_SECRETS'] ?? randomBytes(32).toString('base64url');
  const environment = { ...process.env, SIGIL_SECRETS: secret };
  if (!http) {
    const child = { args, environment };
    const holder = new StdioHolder({ input: process.stdin, output: process.stdout, child, ...events });
    return { holder, address: undefined, open: () => Promise.resolve() };
  }
  const number = numberOf(port, '--port');
  // The default path of a server; the server behind it gets another port each time.
  const origin = `http://${host}:${number}`;
  const address = `${origin}/mcp`;
  // Tokens are issued for the URL that clients know, so the server has to use that URL as its own.
  const known = { RESOURCE: address, ...environment, SIGIL_DEV_ORIGIN: origin };
  const child = { args: ['--http', ...args], environment: known };
  const holder = new HttpHolder({ port: number, host, child, onDeath: events.onDeath });
  return { holder, address, open: () => holder.listen() };
}

function entryOf(entry: string | undefined): string {
  const file = entry === undefined ? findMain(process.cwd()) : resolve(entry);
  if (existsSync(file)) return file;
  throw wrongUsage('SIGIL_DEV_FILE', { file });
}

function numberOf(text: string, option: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value >= 0) return value;
  throw wrongUsage('SIGIL_CLI_NUMBER', { option, value: JSON.stringify(text) });
}
