/** The port between the client and a transport: it sends and receives text, and does not interpret it. */
import type { RequestId } from '@sigil-mcp/protocol';
import type { HttpProfile } from '../conversations/http-profile';
import type { ResponseStatus } from '../response-status';

/** The client's end, as a pipe sees it. */
export interface PipeUser {
  /** Takes a message of the server. @param response what the response said that was nothing else, should it be an error */
  receive(text: string, response?: ResponseStatus): void;
  /** Whether a request is still pending. */
  waitsFor(id: RequestId): boolean;
  /** Reports that an answer will not come: to one request, or to all pending requests. */
  fail(error: Error, id?: RequestId): void;
  /** Reports what went wrong outside of a request, such as a line that is not a message, or the loss of the stream for changes. */
  fault(error: Error): void;
  /** Reports that no more messages will come, ever. Pending and later requests fail with the error. */
  end(error: Error): void;
}

/** Milliseconds, at most, that later messages wait until a server has taken an earlier one. */
export const LONGEST_DELAY = 5000;

/** A way to a server. */
export interface Pipe {
  /** Sends one message. A promise rejects with the reason why it did not arrive; the failure of a request is reported through `fail`. */
  send(text: string): void | Promise<void>;
  /** Takes the HTTP rules of a revision before its first message; only Streamable HTTP has this method. */
  follow?(profile: HttpProfile): void;
  /** Opens the stream for messages that the server sends on its own, after the handshake; absent if it is always open. */
  listen?(): Promise<void>;
  /** Closes the connection of one request; absent if all requests share one. */
  hangUp?(id: RequestId): void;
  /** What the server wrote to stderr; absent if the server is not a process of its own. */
  stderr?(): string;
  /** Ends the connection, and a process that was started for it. */
  close(): void | Promise<void>;
}

/** Opens a pipe for a client. */
export type OpenPipe = (user: PipeUser) => Pipe;
