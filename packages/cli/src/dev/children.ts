/** The processes of the servers behind a holder: the current one, the next one, and those that are ending. */
import { setTimeout as pause } from 'node:timers/promises';
import { codeOf } from '../failure';
import { mention } from '../terminal/mention';
import { ChildServer, describeEnd, type ChildEnd, type ChildOptions } from './child-server';
import { commandError } from '../errors/errors';
import type { Crash } from '../causes/crash-report';

/** Thrown by a holder, after the process has ended. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
  /** The error that ended the process, if it reported one. */
  readonly crash: Crash | undefined;
  /** The last lines that it wrote to stderr. */
  readonly lastLines: readonly string[];

  /** @param error for a server that gives no reason itself */
  constructor(error: Error, child: ChildServer) {
    super(error.message, { cause: error });
    this.crash = child.crash;
    this.lastLines = child.lastLines;
  }
}

/** How a server is started. */
export interface Start extends ChildOptions {
  /** Takes each line that the server writes to stdout. */
  readonly onLine: (line: string, child: ChildServer) => void;
  /** Resolves when the server accepts messages. */
  readonly ready: (child: ChildServer) => Promise<unknown>;
}

/** Starts servers, and ends them all when it is closed. */
export class Children {
  readonly #running = new Set<ChildServer>();
  #isClosed = false;

  /** @param onEnd called at the end of each server, until this is closed */
  constructor(private readonly onEnd: (child: ChildServer, end: ChildEnd) => void) {}

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** @throws StartFailure if the server does not accept messages; then its process has ended */
  async start({ onLine, ready, ...options }: Start): Promise<ChildServer> {
    if (this.#isClosed) throw commandError('SIGIL_DEV_CLOSED');
    const child: ChildServer = new ChildServer(options, (line) => onLine(line, child));
    this.#running.add(child);
    child.ended.then((end) => this.#noteEnd(child, end)).catch(mention);
    try {
      await ready(child);
    } catch (error) {
      throw await failedStart(error, child);
    }
    return child;
  }

  /** Resolves when every server that was asked to end has ended; there must be no other. */
  async ended(): Promise<void> {
    await Promise.all([...this.#running].map((child) => child.ended));
  }

  /** Ends all servers at once. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#running].map((child) => child.stop(0)));
  }

  #noteEnd(child: ChildServer, end: ChildEnd): void {
    this.#running.delete(child);
    if (!this.#isClosed) this.onEnd(child, end);
  }
}

/** Milliseconds in which a process that closes its connections is noticed to have ended. */
const DYING = 500;

/** Ends a server that cannot take over. @returns the error to throw */
export async function failedStart(error: unknown, child: ChildServer): Promise<unknown> {
  // A connection that breaks is often the first sign that the process has ended, which is the reason to report.
  if (codeOf(error) === 'ECONNRESET' || codeOf(error) === 'ECONNREFUSED') {
    const end = await Promise.race([child.ended, pause(DYING)]);
    if (end) return new StartFailure(commandError('SIGIL_DEV_ENDED', { how: describeEnd(end) }), child);
  }
  await child.stop(0);
  return error instanceof Error ? new StartFailure(error, child) : error;
}
