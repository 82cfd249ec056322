/** The port of a transport: it moves messages between clients and the kernel, and knows nothing of what they mean. */
import type { Instance } from '../instances/instance';
import type { Kernel } from '../kernel/kernel';
import type { Logger } from '../logging/logger';
import type { Clock } from '../time/clock';

/** The server, as a transport sees it. */
export interface TransportHost {
  readonly kernel: Kernel;
  /** This process as one of the instances that serve the same clients; undefined where it is alone. */
  readonly instance?: Instance | undefined;
  readonly logger: Logger;
  /** What tells the time. */
  readonly clock: Clock;
  /** Milliseconds that running calls have to finish when the server closes. */
  readonly shutdownDeadline: number;
  /**
   * For a transport that serves a network and knows nobody: refuses what wants to know who calls, now and from now on.
   * @throws DefinitionError with each entry that wants scopes, or is public where others are not
   */
  serveAnybody(): void;
  /** Asks the server to close: all of its transports, then its providers. */
  close(): Promise<void>;
}

/** Moves messages between clients and a server; opened by `server.listen`, closed by `server.close`. */
export interface Transport {
  /** Starts to move messages; resolves when clients can be served. What it rejects with, `server.listen` rejects with. */
  open(host: TransportHost): Promise<void>;
  /** Takes nothing new, lets running calls finish within the deadline, cancels the rest, lets go of everything but the process. */
  close(): Promise<void>;
  /** Everything has stopped, the providers included: gives the process back, where the transport took it. */
  release?(): void;
}
