/**
 * Commands in the process of the test. Node itself loads the built command line, once for all specs of a worker: jest would load its
 * modules anew for each of them.
 */
import NodeModule from 'node:module';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Clock } from '@sigil-mcp/base';
import type * as Cli from '@sigil-mcp/cli';
import { CapturedText } from './captured-text';

/** What a command left. */
export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a command is run. */
export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What the command reads from stdin; nothing if left out. */
  readonly input?: string;
  /** Ends the command as Ctrl-C does. */
  readonly signal?: AbortSignal;
  /** The time for `--timeout`; that of the machine if left out. */
  readonly clock?: Clock;
  /** Called with what stderr holds whenever there is more. */
  readonly onStderr?: (text: string) => void;
}

/** Node's own: what jest gives is a subclass of it, which loads by jest. */
const { createRequire } = Object.getPrototypeOf(NodeModule) as typeof NodeModule;

/** Loads a module by Node. @param path in the repository */
export function loadBuilt<Module>(path: string): Module {
  return createRequire(__filename)(join(__dirname, '..', '..', path)) as Module;
}

/** This environment, but for what a test runner tells its own processes about colours. */
export function ownEnvironment(): NodeJS.ProcessEnv {
  const { FORCE_COLOR: _, ...own } = process.env;
  return own;
}

/** Runs `sigil` without a terminal. Several at once do not mix. */
export async function sigil(words: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const { cwd = process.cwd(), env, input = '', signal = new AbortController().signal, onStderr, clock } = options;
  const { runCli } = loadBuilt<typeof Cli>('packages/cli/dist/index.js');
  const [stdout, stderr] = [new CapturedText(), new CapturedText(false, 80, onStderr)];
  const { compileThreads } = loadBuilt<Required<Pick<Cli.CliOptions, 'compileThreads'>>>(
    'test/support/kept-threads.cjs',
  );
  const surroundings = {
    stdin: Readable.from([input]),
    stdout,
    stderr,
    cwd,
    signal,
    compileThreads,
    ...(clock && { clock }),
  };
  const status = await runCli(words, { ...surroundings, env: { ...ownEnvironment(), ...env } });
  return { status, stdout: stdout.text, stderr: withoutAddress(stderr.text) };
}

/** What is said of an error, without the address of its page below, which is the same line each time. */
export function withoutAddress(stderr: string): string {
  return stderr.replace(/^https:\/\/\S+\/e\/SIGIL_\w+\n$/m, '');
}
