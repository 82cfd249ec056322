/** The port between the client and a transport: text goes out, text comes in; nobody here knows what it means to a test. */
import type { RequestId } from '@sigil-mcp/protocol';

/** The client's end, as a pipe sees it. */
export interface PipeUser {
  /** Takes a message of the server. */
  receive(text: string): void;
  /** Whether a request still waits for its answer. */
  waitsFor(id: RequestId): boolean;
  /** Says that an answer will not come: to one request, or to all that wait. */
  fail(error: Error, id?: RequestId): void;
}

/** A way to a server. */
export interface Pipe {
  /** Hands one message over. What a promise rejects with is why it did not arrive; requests are told through `fail`. */
  send(text: string): void | Promise<void>;
  /** Opens the way for what the server says unasked, once both have met; absent where it is open already. */
  listen?(): Promise<void>;
  /** Closes the connection that carries a request; absent where all share one. */
  hangUp?(id: RequestId): void;
  /** What the server wrote to stderr; absent where there is no process of its own. */
  stderr?(): string;
  /** Ends the connection, and a process that was started for it. */
  close(): void | Promise<void>;
}

/** Opens a pipe for a client. */
export type OpenPipe = (user: PipeUser) => Pipe;
