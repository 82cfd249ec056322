/** One client at the other end of two streams, one message a line: how AI applications run servers as subprocesses. */
import type { Readable, Writable } from 'node:stream';
import { CALLER_MEMBERS, type CallerInit, Caller, LOCAL } from '../../context/caller';
import { endedCall } from '../../errors/failures';
import { sigilError } from '../../errors/catalogue';
import type { Network } from '../../context/observer';
import { ClientLoad } from '../../limits/client-load';
import { DuplexChannel } from '../duplex-channel';
import type { Transport, TransportHost } from '../transport';
import { guardStdout } from './guard-stdout';
import { HeldInput } from './held-input';
import { ownProcess } from '../own-process';
import {
  Deadline,
  OPTION_RULES,
  isObject,
  membersOf,
  requireOptions,
  settleWithin,
  wholeNumber,
  type OptionRule,
} from '@sigil-mcp/base';
import { LineReader } from './read-lines';
import { LineWriter } from './write-lines';

const PIPE: Network = { transport: 'pipe', protocol: undefined };

/** The options of the stdio transport. */
export interface StdioOptions {
  /** `process.stdin`, if left out. */
  readonly input?: Readable;
  /** `process.stdout`, if left out; it is then guarded against other output. */
  readonly output?: Writable;
  /** Longer messages are refused and skipped; 4 MiB if left out. */
  readonly maxLineBytes?: number;
  /**
   * Whether the transport owns the process: it then handles SIGTERM, SIGINT and unhandled rejections, and exits when the client is gone.
   * True if left out, unless `input` or `output` is given.
   */
  readonly exit?: boolean;
  /**
   * The caller: of the kind `local` unless another is given, with all scopes and roles unless some are given. If left out, taken from
   * `SIGIL_CALLER`, `SIGIL_CALLER_SCOPES` and `SIGIL_CALLER_ROLES` of the environment.
   */
  readonly caller?: Partial<CallerInit>;
}

const OPTIONS: Readonly<Record<keyof StdioOptions, OptionRule>> = {
  input: { wanted: 'a stream to read', fits: (value) => isObject(value) && typeof value['on'] === 'function' },
  output: { wanted: 'a stream to write', fits: (value) => isObject(value) && typeof value['write'] === 'function' },
  maxLineBytes: wholeNumber(1),
  exit: OPTION_RULES.flag,
  caller: membersOf(CALLER_MEMBERS),
};

/** Milliseconds for the last bytes, when the deadline for the calls has passed. */
const LAST_BYTES = 100;
/** Milliseconds that `onStop` hooks have at least, when the process is asked to end. */
const LAST_HOOKS = 1000;
/** Milliseconds that calls have once their client is gone, independent of the server's deadline: just time to clean up. */
const GRACE = 1000;
/** Milliseconds from the end of the input to that of the process; official clients send SIGTERM after 2000. */
const LEAVE_TIME = 1500;
/** Milliseconds that the process has left when it is asked to end after the end of its input. */
const HURRY = 500;
/** Marks a stream that a transport reads. `Symbol.for`, so that it holds across copies of the package. */
const READ_BY = Symbol.for('sigil.stdin');
/** Error codes of a stream whose other end is closed. */
const GONE = new Set([
  'EPIPE',
  'ECONNRESET',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
  'ERR_STREAM_PREMATURE_CLOSE',
]);

/**
 * Serves one client over stdin and stdout. It can be opened once; `server.listen` throws an `Error` the second time. Its constructor throws a
 * `DefinitionError` for options that do not exist or are of the wrong kind.
 * @example await server.listen(new StdioTransport());
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio
 */
export class StdioTransport implements Transport {
  readonly #options: StdioOptions;
  readonly #ownsProcess: boolean;
  #line: OpenLine | undefined;
  #closed: Promise<void> | undefined;
  #exiting = false;
  /** The exit code of the process: the first that is not 0. */
  #exitCode = 0;
  #isOver = false;

  constructor(options: StdioOptions = {}) {
    requireOptions('StdioTransport', options, OPTIONS);
    this.#options = options;
    this.#ownsProcess = options.exit ?? !(options.input || options.output);
  }

  get takesStdout(): boolean {
    return this.#options.output === undefined;
  }

  async open(host: TransportHost): Promise<void> {
    if (this.#line) throw sigilError('SIGIL_STDIO_TWICE');
    const { input = process.stdin, output, maxLineBytes = host.kernel.context.limits.messageBytes } = this.#options;
    const caller = localCallerOf(this.#options.caller, process.env);
    const giveBack = takeInput(input);
    const congestion = { full: () => held.hold(), drained: () => this.#release() };
    const writer = new LineWriter(output ?? process.stdout, congestion, output ? undefined : guardStdout());
    const load = new ClientLoad(host.kernel.context.limits.ofOnlyClient);
    const channel = new DuplexChannel(host.kernel, writer.write, { headers: {}, caller, network: PIPE }, load);
    const reader = new LineReader({ take: channel.receive, refuse: channel.refuse }, maxLineBytes);
    const held = new HeldInput(input, reader.push);
    const disown = this.#ownsProcess ? ownProcess({ logger: host.logger, stop: this.#onStop }) : () => undefined;
    const release = (): void => (giveBack(), disown());
    const ends = { callsEnd: new Deadline(host.clock), exitEnd: new Deadline(host.clock) };
    this.#line = { host, input, output: output ?? process.stdout, reader, held, writer, channel, release, ...ends };
    this.#line.output.on('error', this.#onOutputError);
    input.on('data', reader.push).on('end', this.#onEnd).on('close', this.#onEnd).on('error', this.#onEnd);
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#line ? this.#close(this.#line) : Promise.resolve());
  }

  async #close(line: OpenLine): Promise<void> {
    const { input, output, held, channel, writer, host, release, callsEnd } = line;
    // The owner of the process keeps reading, past messages that come too late, to notice the end of the input.
    if (!this.#exiting) input.off('end', this.#onEnd).off('close', this.#onEnd).pause();
    if (!this.#isOver) held.drop();
    if (this.#exiting) input.resume();
    channel.hangUp(endedCall(this.#isOver ? 'SIGIL_CLIENT_GONE' : 'SIGIL_SHUTTING_DOWN'));
    callsEnd.within(host.shutdownDeadline);
    const inTime = await callsEnd.settles(this.#finish(line));
    held.drop();
    channel.close(endedCall('SIGIL_SHUTTING_DOWN'));
    if (!inTime) await settleWithin(LAST_BYTES, writer.finished(), host.clock);
    writer.close();
    // A process that is about to exit keeps its listeners: for another signal, and for late errors.
    if (this.#exiting) return;
    input.off('error', this.#onEnd);
    output.off('error', this.#onOutputError);
    release();
  }

  /** Answers all received messages, including held ones and an incomplete last line, and waits until the answers are written. */
  async #finish({ reader, held, channel, writer }: OpenLine): Promise<void> {
    if (this.#isOver) {
      await held.emptied();
      reader.end();
      channel.abandon(endedCall('SIGIL_CLIENT_GONE'));
    }
    await channel.drain();
    await writer.finished();
  }

  /** The output has room again. */
  #release(): void {
    this.#line?.held.release();
    // Calls that start after the end of the input have no client that waits long for them.
    if (this.#isOver) this.#line?.channel.abandon(endedCall('SIGIL_CLIENT_GONE'));
  }

  /** End of file; a broken stream counts as one. Running calls have no client any more, and get a short grace period to end. */
  readonly #onEnd = (): void => {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#line?.callsEnd.within(GRACE);
    this.#line?.exitEnd.within(LEAVE_TIME);
    this.#line?.channel.abandon(endedCall('SIGIL_CLIENT_GONE'));
    this.#end(0);
  };

  /** The process is asked to end; if its input has ended before, it has less time. */
  readonly #onStop = (code: number): void => {
    const { shutdownDeadline = 0 } = this.#line?.host ?? {};
    this.#line?.callsEnd.within(this.#isOver ? 0 : shutdownDeadline);
    this.#line?.exitEnd.within(this.#isOver ? HURRY : shutdownDeadline + Math.max(shutdownDeadline, LAST_HOOKS));
    this.#end(code);
  };

  /** Ends everything: the client does not read any more, so running calls are of no use. */
  readonly #onOutputError = (error: NodeJS.ErrnoException): void => {
    const isGone = GONE.has(error.code ?? '');
    if (!isGone) this.#line?.host.logger.error({ err: error }, 'The output failed');
    this.#line?.held.drop();
    this.#line?.writer.close();
    this.#line?.channel.close(endedCall('SIGIL_CLIENT_GONE'));
    this.#line?.exitEnd.within(LEAVE_TIME);
    this.#end(isGone ? 0 : 1);
  };

  /** The client is gone or a signal arrived: the owner of the process closes the server and exits, other transports close themselves. */
  #end(code: number): void {
    const line = this.#line;
    this.#exitCode ||= code;
    if (!line || this.#exiting) return;
    this.#exiting = this.#ownsProcess;
    const ended = this.#ownsProcess ? this.#exit(line) : this.close();
    ended.catch((error: unknown) => line.host.logger.error({ err: error }, 'The transport did not close cleanly'));
  }

  async #exit({ host, exitEnd }: OpenLine): Promise<void> {
    const closed = host.close().then(
      () => 0,
      (error: unknown) => {
        host.logger.error({ err: error }, 'The server did not close cleanly');
        return 1;
      },
    );
    const inTime = await exitEnd.settles(closed);
    // Events during the close count, too.
    process.exit(this.#exitCode || (inTime ? await closed : 0));
  }
}

/** Takes an input for one reader: two would each get some of the bytes. Returns a function that gives it back. */
function takeInput(input: Readable): () => void {
  // The property is private: no other code uses the symbol.
  const marked = input as Readable & { [READ_BY]?: boolean };
  if (marked[READ_BY]) throw sigilError('SIGIL_STDIN_TAKEN');
  marked[READ_BY] = true;
  return () => void (marked[READ_BY] = false);
}

/** The parts between the two streams while the transport is open. */
interface OpenLine {
  readonly host: TransportHost;
  readonly input: Readable;
  readonly output: Writable;
  readonly reader: LineReader;
  readonly held: HeldInput;
  readonly writer: LineWriter;
  readonly channel: DuplexChannel;
  readonly release: () => void;
  /** The deadline of calls. */
  readonly callsEnd: Deadline;
  /** The deadline of a process that exits. */
  readonly exitEnd: Deadline;
}

/**
 * The caller of a connection over stdio. Unless scopes or roles are given, a caller of the kind `local` has all of them: the user who
 * starts a process can do all that it can.
 *
 * The caller over stdio: the user who started the process. The specification rules out tokens there.
 * @param given the option of the transport; with it, the environment is ignored
 * @param environment `SIGIL_CALLER` is an id; `SIGIL_CALLER_SCOPES` and `SIGIL_CALLER_ROLES` are lists, separated by spaces
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 */
export function localCallerOf(given: Partial<CallerInit> | undefined, environment: NodeJS.ProcessEnv): Caller {
  if (given instanceof Caller) return given;
  if (given) return new Caller({ id: 'local', kind: 'local', ...given });
  const { SIGIL_CALLER: id, SIGIL_CALLER_SCOPES: scopes, SIGIL_CALLER_ROLES: roles } = environment;
  if (id === undefined && scopes === undefined && roles === undefined) return LOCAL;
  return new Caller({
    id: id === undefined || id === '' ? 'local' : id,
    kind: 'local',
    ...(scopes !== undefined && { scopes: wordsOf(scopes) }),
    ...(roles !== undefined && { roles: wordsOf(roles) }),
  });
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
