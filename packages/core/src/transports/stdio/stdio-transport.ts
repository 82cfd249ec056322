/** One client at the other end of two streams, one message a line: how AI applications run servers as subprocesses. */
import type { Readable, Writable } from 'node:stream';
import { endedCall } from '../../errors/ended-call';
import { sigilError } from '../../errors/sigil-error';
import { DuplexChannel } from '../duplex-channel';
import { settleWithin } from '../../values/settle-within';
import type { Transport, TransportHost } from '../transport';
import { guardStdout } from './guard-stdout';
import { ownProcess } from '../own-process';
import { LineReader } from './read-lines';
import { LineWriter } from './write-lines';

/** How a server speaks stdio. */
export interface StdioOptions {
  /** `process.stdin`, if left out. */
  readonly input?: Readable;
  /** `process.stdout`, if left out; it is then guarded against everything that is not protocol. */
  readonly output?: Writable;
  /** Longer messages are refused and skipped; 4 MiB if left out. */
  readonly maxLineBytes?: number;
  /**
   * Whether the process is the transport's: it then handles SIGTERM, SIGINT and rejections that nobody handles, and exits
   * when the client is gone. True if left out, unless `input` or `output` is given.
   */
  readonly exit?: boolean;
}

/** Milliseconds for the last bytes, when the deadline for the calls has passed. */
const LAST_BYTES = 100;
/** Milliseconds that `onStop` hooks have at least. */
const LAST_HOOKS = 1000;
/** How a stream says that there is nobody at its other end. */
const GONE = new Set([
  'EPIPE',
  'ECONNRESET',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
  'ERR_STREAM_PREMATURE_CLOSE',
]);

/**
 * Serves one client over stdin and stdout. It can be opened once; `server.listen` throws an `Error` for one that was.
 * @example await server.listen(new StdioTransport());
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio
 */
export class StdioTransport implements Transport {
  readonly #options: StdioOptions;
  readonly #ownsProcess: boolean;
  #line: OpenLine | undefined;
  #closed: Promise<void> | undefined;
  #exiting = false;

  constructor(options: StdioOptions = {}) {
    this.#options = options;
    this.#ownsProcess = options.exit ?? !(options.input || options.output);
  }

  async open(host: TransportHost): Promise<void> {
    if (this.#line) throw sigilError('SIGIL_STDIO_TWICE');
    const { input = process.stdin, output, maxLineBytes = host.kernel.limits.messageBytes } = this.#options;
    const congestion = {
      full: () => void input.pause(),
      drained: () => void (this.#closed ?? input.resume()),
    };
    const writer = new LineWriter(output ?? process.stdout, congestion, output ? undefined : guardStdout());
    const channel = new DuplexChannel(host.kernel, writer.write);
    const reader = new LineReader({ take: channel.receive, refuse: channel.refuse }, maxLineBytes);
    const release = this.#ownsProcess ? ownProcess({ logger: host.logger, stop: this.#onStop }) : () => undefined;
    this.#line = { host, input, output: output ?? process.stdout, reader, writer, channel, release };
    this.#line.output.on('error', this.#onOutputError);
    input.on('data', reader.push).on('end', this.#onEnd).on('close', this.#onEnd).on('error', this.#onEnd);
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#line ? this.#close(this.#line) : Promise.resolve());
  }

  async #close({ input, output, reader, channel, writer, host, release }: OpenLine): Promise<void> {
    input.off('data', reader.push).off('end', this.#onEnd).off('close', this.#onEnd).pause();
    channel.hangUp();
    const inTime = await settleWithin(
      host.shutdownDeadline,
      channel.drain().then(() => writer.finished()),
    );
    channel.close(endedCall('SIGIL_SHUTTING_DOWN'));
    if (!inTime) await settleWithin(LAST_BYTES, writer.finished());
    writer.close();
    // A process that is about to exit stays ours: another signal must find its listener, a late error somebody to swallow it.
    if (this.#exiting) return;
    input.off('error', this.#onEnd);
    output.off('error', this.#onOutputError);
    release();
  }

  /** End of file; a stream that breaks has ended too. */
  readonly #onEnd = (): void => {
    if (!this.#closed) this.#line?.reader.end();
    void this.#end(0);
  };

  readonly #onStop = (): void => void this.#end(0);

  /** Ends everything, because nobody reads any more and nothing that still runs is of use. */
  readonly #onOutputError = (error: NodeJS.ErrnoException): void => {
    const isGone = GONE.has(error.code ?? '');
    if (!isGone) this.#line?.host.logger.error({ err: error }, 'The output failed');
    this.#line?.writer.close();
    this.#line?.channel.close(endedCall('SIGIL_CLIENT_GONE'));
    void this.#end(isGone ? 0 : 1);
  };

  /** The client is gone or a signal came: the owner of the process closes the server and exits, others close themselves. */
  async #end(code: number): Promise<void> {
    const host = this.#line?.host;
    if (!host || this.#exiting) return;
    if (!this.#ownsProcess) return this.close();
    this.#exiting = true;
    const { shutdownDeadline, logger } = host;
    const closed = host.close().then(
      () => code,
      (error: unknown) => {
        logger.error({ err: error }, 'The server did not close cleanly');
        return 1;
      },
    );
    const inTime = await settleWithin(shutdownDeadline + Math.max(shutdownDeadline, LAST_HOOKS), closed);
    process.exit(inTime ? await closed : code);
  }
}

/** What stands between the two streams while the transport is open. */
interface OpenLine {
  readonly host: TransportHost;
  readonly input: Readable;
  readonly output: Writable;
  readonly reader: LineReader;
  readonly writer: LineWriter;
  readonly channel: DuplexChannel;
  readonly release: () => void;
}
