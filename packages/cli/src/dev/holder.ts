/** Whoever keeps the client while servers come and go. */

/** A server that was started and can be given messages. */
export interface Successor {
  /** Sentences for the log where a session is not quite what it was. */
  readonly remarks: readonly string[];
}

/** Implemented for the pipe and for HTTP. */
export interface Holder {
  /** From now on requests wait, also where they were refused before. */
  hold(): void;
  /** The server that is there stays; what waits goes to it. */
  release(): void;
  /**
   * What runs may finish; what does not in time is answered with an error.
   * @param patience milliseconds
   */
  drain(patience: number, why: string): Promise<void>;
  /** Starts a server and brings it to where the last one was; what waits, waits on. Rejects if it does not start. */
  attach(program: string): Promise<Successor>;
  /** Ends the server that is there, or on its way out. @param patience milliseconds */
  detach(patience: number): Promise<void>;
  /** Answers everything that waits with an error, and everything that comes, until there is a server again. */
  refuse(why: string): void;
  /** Lets the client and the server go, and gives up what is being waited for. Nothing is attached from now on. */
  close(): Promise<void>;
}
