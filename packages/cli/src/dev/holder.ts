/** Keeps clients connected while servers are replaced: their requests wait, and their sessions continue with the next server. */
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock, type Clock } from '@sigil-mcp/base';
import type { Crash } from '../causes/crash-report';
import { commandError } from '../errors/errors';
import { codeOf } from '../failure';
import { mention } from '../terminal/mention';
import type { CallLines } from './call-lines';
import { ChildServer, describeEnd, type ChildEnd, type ChildOptions } from './child-server';
import type { QuestionWatcher } from './questions';
import type { Tap } from './tap';

/** Milliseconds for a server to end before it is killed. */
export const ENDING = 3000;

/** The reason for a call that was interrupted by a change. */
export const RESTARTED = 'The server was restarted because its sources changed.';

/** Milliseconds in which a process that closes its connections is noticed to have ended. */
const DYING = 500;

/** How a replacement treats the calls that run at the last server. */
export interface Handover {
  /** Milliseconds for running calls to finish. */
  readonly patience: number;
  /** The reason for calls that do not finish in time, in one sentence. */
  readonly why: string;
}

/** What the clients of a line have to do with, besides the server. */
export interface LineOptions {
  /** Writes a line for each call; none if left out. */
  readonly calls?: CallLines | undefined;
  /** Notes each message; nobody does if left out. */
  readonly tap?: Tap | undefined;
  /** Is shown the questions to clients; nobody is if left out. */
  readonly questions?: QuestionWatcher | undefined;
  /** Measures how long requests have waited; the system clock if left out. */
  readonly clock?: Clock;
}

/** The servers behind a holder. */
export interface HolderOptions {
  readonly child: Omit<ChildOptions, 'program' | 'speaks' | 'clock'>;
  /** Called when the server ended unexpectedly. */
  readonly onDeath: (end: ChildEnd, crash: Crash | undefined) => void;
  /** Measures how long calls have run; the system clock if left out. */
  readonly clock?: Clock;
}

/** How a server is started for the clients of a line. */
export interface LineStart extends Pick<ChildOptions, 'speaks'> {
  /** Variables besides those of every server. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Takes each line that the server writes to stdout. */
  readonly onLine: (line: string, child: ChildServer) => void;
  /** Resolves when the server accepts messages. */
  readonly ready: (child: ChildServer) => Promise<unknown>;
}

/** The clients: one on a pipe, or those of an HTTP port. */
export interface ClientLine {
  /** Whether requests wait, and why they are refused instead; the holder decides. */
  readonly gate: { isHolding: boolean; refusal: string | undefined };
  /** Whether the only client is gone, so that the end of the server is not a surprise. */
  readonly isLeaving: boolean;
  /** Whether clients wait for answers that only the current server can give. */
  readonly isBusy: boolean;
  /** How the next server is started. */
  starting(): Promise<LineStart>;
  /** Sends on, or refuses, the requests that wait. */
  goOn(): void;
  /** Answers the calls that the current server has not finished. */
  refuseCalls(why: string): void;
  /** The current server is gone, or about to end: its questions are withdrawn, and what outlasts it is taken back. */
  leave(): void;
  /** The server for all requests from now on; undefined for none. */
  use(child: ChildServer | undefined): void;
  /** Opens the sessions at the server that is used now. @returns what could not be restored, in sentences */
  openSessions(child: ChildServer): Promise<readonly string[]>;
  /** Sends the requests that outlast a restart to the server that is used now. @param isNew whether it is not the last one after all */
  resend(isNew: boolean): void;
  /** Closes the connections of the clients. */
  close(): void;
}

/** Thrown if a server does not take over; its process has ended then. */
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

/** The servers for the clients of a line, one after the other. */
export class Holder {
  readonly #clock: Clock;
  readonly #running = new Set<ChildServer>();
  #child: ChildServer | undefined;
  /** The next server while the sessions are opened there. */
  #entering: ChildServer | undefined;
  #isClosed = false;

  constructor(
    private readonly line: ClientLine,
    private readonly options: HolderOptions,
  ) {
    this.#clock = options.clock ?? systemClock;
  }

  /** Makes requests wait from now on, also after a refusal. */
  hold(): void {
    this.line.gate.refusal = undefined;
    this.line.gate.isHolding = true;
  }

  /** Sends the waiting requests to the current server. */
  release(): void {
    this.line.gate.isHolding = false;
    this.line.goOn();
  }

  /** Answers waiting requests with an error, and all others until there is a server again. */
  refuse(why: string): void {
    this.line.gate.refusal = why;
    this.release();
  }

  /**
   * Starts a server next to the current one, which continues to serve.
   * @throws StartFailure if it does not accept messages; then its process has ended
   */
  async start(program: string): Promise<ChildServer> {
    const { ready, onLine, speaks, environment } = await this.line.starting();
    if (this.#isClosed) throw commandError('SIGIL_DEV_CLOSED');
    const { child: given, clock } = this.options;
    const options = { ...given, program, speaks, clock, environment: { ...given.environment, ...environment } };
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

  /**
   * Waits for running calls, opens the existing sessions at the next server, makes it the current one, and ends the last one. Requests
   * should be held. If the next server refuses the sessions, the last one stays, the next one is ended, and this rejects.
   * @param next undefined to be without a server; then this waits for the end of all that were replaced
   * @returns sentences for the log about parts of a session that could not be restored
   */
  async replace(next: ChildServer | undefined, { patience, why }: Handover): Promise<readonly string[]> {
    const last = this.#child;
    const deadline = this.#clock.elapsed() + patience;
    while (!this.#isClosed && this.line.isBusy && this.#clock.elapsed() < deadline) await pause(10);
    if (this.#isClosed) throw commandError('SIGIL_DEV_CLOSED');
    this.line.refuseCalls(why);
    this.line.leave();
    const remarks = next ? await this.#takeOver(next, last) : [];
    this.#use(next);
    last?.stop(ENDING).catch(mention);
    if (!next) await Promise.all([...this.#running].map((child) => child.ended));
    return remarks;
  }

  /** Closes the connections of clients, ends the servers, and ends every wait. No server is started afterwards. */
  async close(): Promise<void> {
    this.line.close();
    this.#isClosed = true;
    await Promise.all([...this.#running].map((child) => child.stop(0)));
  }

  /** Opens the sessions at the next server, and sends it the requests that outlast a restart; if it fails, the last server stays. */
  async #takeOver(next: ChildServer, last: ChildServer | undefined): Promise<readonly string[]> {
    this.#entering = next;
    this.#use(next);
    try {
      const remarks = await this.line.openSessions(next);
      if (next.hasEnded) throw commandError('SIGIL_DEV_ENDED', { how: describeEnd(await next.ended) });
      this.line.resend(true);
      return remarks;
    } catch (error) {
      this.#use(last);
      if (last?.hasEnded) this.#noteEnd(last, await last.ended);
      else this.line.resend(false);
      throw await failedStart(error, next);
    } finally {
      this.#entering = undefined;
    }
  }

  #use(child: ChildServer | undefined): void {
    this.#child = child;
    this.line.use(child);
  }

  #noteEnd(child: ChildServer, end: ChildEnd): void {
    this.#running.delete(child);
    // The end of a server whose sessions are being opened fails that, and the last server stays.
    if (this.#isClosed || this.line.isLeaving || this.#child !== child || this.#entering === child) return;
    this.#use(undefined);
    this.line.leave();
    this.options.onDeath(end, child.crash);
  }
}

/** Ends a server that cannot take over. @returns the error to throw */
async function failedStart(error: unknown, child: ChildServer): Promise<unknown> {
  // A connection that breaks is often the first sign that the process has ended, which is the reason to report.
  if (codeOf(error) === 'ECONNRESET' || codeOf(error) === 'ECONNREFUSED') {
    const end = await Promise.race([child.ended, pause(DYING)]);
    if (end) return new StartFailure(commandError('SIGIL_DEV_ENDED', { how: describeEnd(end) }), child);
  }
  await child.stop(0);
  return error instanceof Error ? new StartFailure(error, child) : error;
}
