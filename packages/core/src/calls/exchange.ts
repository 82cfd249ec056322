/** One request and the way back to its client: a transport's view of a single call. */
import type { Caller } from '../context/caller';
import type { RequestHeaders } from '../context/mcp-context';
import type { Network } from '../context/observer';
import type { MirroredArgument } from '../mirrored-arguments/mirrored-arguments';
import type { MaybePromise } from '@sigil-mcp/base';

/** Made by a transport; one for each request, or one for a whole connection if its requests do not differ. */
export interface Exchange {
  /** Empty if the transport has none. */
  readonly headers: RequestHeaders;
  /** Of the kind `anonymous` if no caller was authenticated. */
  readonly caller: Caller;
  /** The connection or session of the exchange, the same object for all of its exchanges; undefined if it belongs to neither. */
  readonly session?: object | undefined;
  /** IP address of the client; undefined if the transport has none. */
  readonly address?: string | undefined;
  /** Undefined if both ends are in one process. */
  readonly network?: Network | undefined;
  /** The id of its session, as the client sends it; undefined without one. Never to be logged. */
  readonly sessionId?: string | undefined;
  /**
   * Sends a message that belongs to this call, before its response.
   * @param text one JSON-RPC message
   * @returns a promise if the output is congested; it resolves when there is room again
   */
  notify(text: string): MaybePromise<void>;
  /** Whether messages of other calls share the same output; false if left out. */
  readonly isShared?: boolean;
  /** Whether the client can receive notifications of changes, on this exchange or on another stream; true if left out. */
  readonly hearsChanges?: boolean;
  /** Why the client cannot be asked anything on this exchange; undefined if it can. */
  readonly unreachable?: string | undefined;
  /** Receives the progress of its calls, which then is not sent; sent as notifications if left out. */
  progress?(progress: number, total: number | undefined, message: string | undefined): MaybePromise<void>;
  /** Closes the connection while the call runs on; undefined if a client could not reconnect for the rest. */
  release?(): void;
  /**
   * Compares the arguments of a tool with headers that repeat them; undefined if the transport has no headers.
   * @param mirrored the arguments that the tool declares as repeated in headers
   * @param sent the raw arguments of the client
   * @throws ProtocolError `header-mismatch`
   */
  checkMirrored?(mirrored: readonly MirroredArgument[], sent: unknown): void;
}

/** Who is at the other end of an exchange, and how it is reached. */
export type ExchangeAccess = Pick<Exchange, 'headers' | 'caller' | 'address' | 'network' | 'sessionId'>;
