/** The port of the code that keeps clients connected while servers are replaced. */

/** A server that was started and accepts messages. */
export interface Successor {
  /** Sentences for the log about parts of a session that could not be restored. */
  readonly remarks: readonly string[];
}

/** Holds clients: those of a pipe, or of an HTTP port. */
export interface Holder {
  /** Makes requests wait from now on, also after a refusal. */
  hold(): void;
  /** Sends the waiting requests to the current server. */
  release(): void;
  /**
   * Waits for running calls; a call that does not finish in time is answered with an error.
   * @param patience milliseconds
   */
  drain(patience: number, why: string): Promise<void>;
  /** Starts a server, and opens the existing sessions there; requests keep waiting. Rejects if it does not start. */
  attach(program: string): Promise<Successor>;
  /** Ends the server that is current, or ending. @param patience milliseconds */
  detach(patience: number): Promise<void>;
  /** Answers waiting requests with an error, and all others until there is a server again. */
  refuse(why: string): void;
  /** Closes the connections of clients, ends the server, and ends every wait. No server is attached afterwards. */
  close(): Promise<void>;
}
