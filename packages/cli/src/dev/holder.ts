/** The port of the code that keeps clients connected while servers are replaced. */
import type { ChildServer } from './child-server';

/** Milliseconds for a server to end before it is killed. */
export const ENDING = 3000;

/** How a replacement treats the calls that run at the last server. */
export interface Handover {
  /** Milliseconds for running calls to finish. */
  readonly patience: number;
  /** The reason for calls that do not finish in time, in one sentence. */
  readonly why: string;
}

/** Holds clients: those of a pipe, or of an HTTP port. */
export interface Holder {
  /** Makes requests wait from now on, also after a refusal. */
  hold(): void;
  /** Sends the waiting requests to the current server. */
  release(): void;
  /** Answers waiting requests with an error, and all others until there is a server again. */
  refuse(why: string): void;
  /**
   * Starts a server next to the current one, which continues to serve. Rejects with a StartFailure if it does not accept messages;
   * then its process has ended.
   */
  start(program: string): Promise<ChildServer>;
  /**
   * Waits for running calls, opens the existing sessions at the next server, makes it the current one, and ends the last one. Requests
   * should be held. If the next server refuses the sessions, the last one stays, the next one is ended, and this rejects.
   * @param next undefined to be without a server; then this waits for the end of all that were replaced
   * @returns sentences for the log about parts of a session that could not be restored
   */
  replace(next: ChildServer | undefined, handover: Handover): Promise<readonly string[]>;
  /** Closes the connections of clients, ends the servers, and ends every wait. No server is started afterwards. */
  close(): Promise<void>;
}
