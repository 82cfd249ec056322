/** The way one request came in, and the way back: a transport's view of a single call. */
import type { Caller } from '../context/caller';
import type { RequestHeaders } from '../context/mcp-context';
import type { MirroredArgument } from '../schema/headers/mirrored-arguments';
import type { MaybePromise } from '../values/maybe-promise';

/** Made by a transport; one for each request, or one for a whole connection where requests do not differ. */
export interface Exchange {
  /** Empty where the transport has none. */
  readonly headers: RequestHeaders;
  /** Of the kind `anonymous` where nobody was authenticated. */
  readonly caller: Caller;
  /** Of the connection or session that it belongs to, the same object for all of its exchanges; undefined where there is none. */
  readonly session?: object | undefined;
  /** IP address of the client; undefined where the transport has none. */
  readonly address?: string | undefined;
  /**
   * Sends a message that belongs to this call, before its response.
   * @param text one JSON-RPC message
   * @returns a promise where the way out is congested; it resolves when there is room again
   */
  notify(text: string): MaybePromise<void>;
  /** Whether the messages of other calls go out the same way; not, if left out. */
  readonly isShared?: boolean;
  /** Whether the client can be told of changes, on this exchange or on another stream; it can, if left out. */
  readonly hearsChanges?: boolean;
  /** Lets the connection go while the call runs on; undefined where a client could not come back for the rest. */
  release?(): void;
  /**
   * Compares the arguments of a tool with what came beside the message; undefined where nothing does.
   * @param mirrored the arguments that the tool wants repeated in headers
   * @param sent the arguments as the client sent them
   * @throws ProtocolError `header-mismatch`
   */
  checkMirrored?(mirrored: readonly MirroredArgument[], sent: unknown): void;
}
