/** What the streams of a session do: those that answer one request each, and the one that belongs to none. */
import type { RequestId } from '@sigil-mcp/protocol';
import type { Outlet } from '../streams/outlet';
import type { SseStream } from '../streams/sse-stream';
import type { WholeAnswer } from '../streams/whole-answer';

/** How a client went on: `unknown` for an id that its session never gave out, `gone` where what followed is kept no more. */
export type Resumption = 'resumed' | 'unknown' | 'gone';

/** The streams of one session. */
export interface SessionStreams {
  /** Whether the client has a connection to any of them. */
  readonly isConnected: boolean;
  /**
   * Opens the stream of a message, for whom it is kept until it has ended.
   * @param ids of the requests that it answers
   */
  open(connection: SseStream, ids: readonly RequestId[]): Outlet;
  /**
   * Writes a stream that says one thing and is over, so that a client whose connection breaks meanwhile can come back for it.
   * Left out where what is sent has to be stored before.
   */
  writeWhole?(text: string): Required<WholeAnswer>;
  /**
   * Opens the stream for what belongs to no request.
   * @returns false if there is one already
   */
  connectStandalone(connect: () => SseStream): boolean | Promise<boolean>;
  /** Goes on with a stream after an event that the client has. */
  resume(lastEventId: string, connect: () => SseStream): Resumption | Promise<Resumption>;
  /**
   * Sends what belongs to no request.
   * @param position of the change that it tells of, where changes have one
   */
  push(text: string, position: string | undefined): void | Promise<void>;
  /** Ends the connection of the stream that belongs to no request: whoever may go on with it comes back. */
  hangUp(): void;
  /** Forgets what was delivered so long ago that nobody comes back for it. */
  forgetDelivered(): void;
  /** Ends the stream that belongs to no request. The others end with their exchanges, which have yet to say what became of them. */
  close(): void;
}
