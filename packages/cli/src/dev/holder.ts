/** The port for what keeps clients while servers come and go. */

/** A server that was started and can be given messages. */
export interface Successor {
  /** Sentences for the log where a session is not quite what it was. */
  readonly remarks: readonly string[];
}

/** Holds clients: those of a pipe, or of an HTTP port. */
export interface Holder {
  /** Lets requests wait from now on, also where they were refused before. */
  hold(): void;
  /** Sends the requests that wait to the server that is there. */
  release(): void;
  /**
   * Lets running calls finish; a call that does not in time is answered with an error.
   * @param patience milliseconds
   */
  drain(patience: number, why: string): Promise<void>;
  /** Starts a server, and opens the sessions of the last one there; requests wait on. Rejects if it does not start. */
  attach(program: string): Promise<Successor>;
  /** Ends the server that is there, or on its way out. @param patience milliseconds */
  detach(patience: number): Promise<void>;
  /** Answers the requests that wait, and those that come until there is a server again, with an error. */
  refuse(why: string): void;
  /** Lets the clients and the server go, and gives up every wait. No server is attached from now on. */
  close(): Promise<void>;
}
