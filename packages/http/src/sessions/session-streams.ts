/** The port of a session's streams: those that answer a request, and the one without a request. */
import type { RequestId } from '@sigil-mcp/protocol';
import type { Outlet } from '../streams/outlet';
import type { EventStream } from '../streams/event-stream';
import type { WholeAnswer } from '../streams/whole-answer';

/** The result of resuming a stream: `unknown` for an id that its session never assigned, `gone` if later events are no longer stored. */
export type Resumption = 'resumed' | 'unknown' | 'gone';

/** The streams of one session. */
export interface SessionStreams {
  /** Whether the client has a connection to any of them. */
  readonly isConnected: boolean;
  /**
   * Opens the stream of a message, which is stored until it has ended.
   * @param ids of the requests that it answers
   */
  open(connection: EventStream, ids: readonly RequestId[]): Outlet;
  /**
   * Writes a stream with a single message, which the client can resume if its connection breaks meanwhile.
   * Not available if messages have to be stored before they are sent.
   */
  writeWhole?(text: string): Required<WholeAnswer>;
  /**
   * Opens the stream for messages without a request.
   * @returns false if there is one already
   */
  connectStandalone(connect: () => EventStream): boolean | Promise<boolean>;
  /** Resumes a stream after an event that the client has. */
  resume(lastEventId: string, connect: () => EventStream): Resumption | Promise<Resumption>;
  /**
   * Sends a message without a request.
   * @param position of the change that it reports, if changes have one
   */
  push(text: string, position: string | undefined): void | Promise<void>;
  /** Ends the connection of the stream without a request; its client may reconnect. */
  hangUp(): void;
  /** Drops streams that were delivered so long ago that their clients will not reconnect. */
  forgetDelivered(): void;
  /** Ends the stream without a request. The others end with their exchanges, which still have to report their outcome. */
  close(): void;
}
