/** The lease of the stream without a request: one instance holds it at a time. */
import type { ChangeListener, MaybePromise } from '@sigil-mcp/core/adapter';

/** A session, as its streams see it. */
export interface StreamSession extends Pick<ChangeListener, 'hear' | 'followSubscriptions' | 'caller'> {
  readonly id: string;
  /** Whether it has ended. */
  readonly isClosed: boolean;
}

/** Which instance holds the stream of a session. It is a part of the record of the session. */
export interface StreamLease {
  /** The number of changes of the record. */
  readonly n: number;
  /** The instance that holds the stream; undefined if none does. */
  readonly holder?: string | undefined;
  /** The position of the stream among the changes of the server; undefined before it is first opened. */
  readonly position?: string | undefined;
}

/** The leases of the streams of all sessions, and the way to the instances that hold them. */
export interface StreamLeases<S extends StreamSession = StreamSession> {
  /** The latest known lease. */
  leaseOf(session: S): StreamLease;
  /**
   * Replaces a lease by what `change` returns; undefined means no change. Rejects if the session has ended, or the store is unreachable.
   */
  changeLease(session: S, change: (lease: StreamLease) => Omit<StreamLease, 'n'> | undefined): Promise<void>;
  /** Notifies an instance that the client has opened or resumed the stream here. */
  takeFrom(instance: string, session: S): Promise<void>;
  /**
   * Notifies the other instances that may send it that the client has resumed a stream of a request here.
   * @param owner the instance that writes it; empty if none does
   */
  tellTaken(session: S, stream: string, owner: string): MaybePromise<void>;
}
