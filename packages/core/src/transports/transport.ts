/** The port of a transport: it moves messages between clients and the kernel, and does not interpret them. */
import type { Instance } from '../instances/instance';
import type { Kernel } from '../kernel/kernel';
import type { Logger } from '../logging/logger';
import type { Clock } from '@sigil-mcp/base';

/** The server, as a transport sees it. */
export interface TransportHost {
  readonly kernel: Kernel;
  /** This process as one of the instances that serve the same clients, perhaps the only one. Made when a transport first asks for it. */
  readonly instance: Instance;
  readonly logger: Logger;
  /** The source of time and timers. */
  readonly clock: Clock;
  /** Milliseconds that running calls have to finish when the server closes. */
  readonly shutdownDeadline: number;
  /**
   * The entries whose questions and pages clients can continue with this process alone, because the server has no secrets; left out if
   * that is not known.
   */
  readonly lostByRestart?: readonly string[];
  /**
   * For a transport on a network without authentication: refuses entries that require a caller, now and from now on.
   * @throws DefinitionError with each entry that requires scopes, or is public while others are not
   */
  serveAnybody(): void;
  /** Asks the server to close: all of its transports, then its providers. */
  close(): Promise<void>;
}

/** Moves messages between clients and a server; opened by `server.listen`, closed by `server.close`. */
export interface Transport {
  /** Whether it sends its messages on stdout; false if left out. */
  readonly takesStdout?: boolean;
  /** Starts to move messages; resolves when clients can be served. `server.listen` rejects with its error. */
  open(host: TransportHost): Promise<void>;
  /** Accepts no new requests, lets running calls finish within the deadline, cancels the rest, and releases all but the process. */
  close(): Promise<void>;
  /** Called when everything has stopped, including the providers: releases the process, if the transport owns it. */
  release?(): void;
}
