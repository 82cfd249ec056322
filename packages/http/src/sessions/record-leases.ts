/** The leases of streams, as parts of the records of their sessions. */
import { andThen, type MaybePromise } from '@sigil-mcp/core/adapter';
import { STANDALONE } from '../streams/event-id';
import type { StreamLease, StreamLeases } from '../streams/stream-lease';
import type { Peers } from './peers';
import type { Session } from './session';
import type { SessionRecords } from './session-records';
import type { SessionWork } from './session-work';

/** Changes leases in the store, and notifies the instances that held them. */
export class RecordLeases implements StreamLeases<Session> {
  constructor(
    private readonly records: SessionRecords,
    private readonly peers: Peers,
    private readonly work: SessionWork | undefined,
  ) {}

  leaseOf(session: Session): StreamLease {
    return this.records.recordOf(session);
  }

  async changeLease(
    session: Session,
    change: (lease: StreamLease) => Omit<StreamLease, 'n'> | undefined,
  ): Promise<void> {
    await this.records.edit(session, (record) => {
      const lease = change(record);
      return lease ? { ...record, ...lease } : record;
    });
  }

  takeFrom(instance: string, session: Session): Promise<void> {
    return this.peers.takeFrom(instance, session, STANDALONE);
  }

  /** This instance joins first, so that the next one to take the stream finds it. */
  tellTaken(session: Session, stream: string, owner: string): MaybePromise<void> {
    return andThen(this.work?.join(session), () => this.peers.tellTaken(session, stream, owner));
  }
}
