/** The records of local sessions in the store: read, and replaced if they have not changed since. */
import type { Instance, MaybePromise } from '@sigil-mcp/core/adapter';
import {
  andThen,
  changeRecord,
  isPromise,
  lateReason,
  outsideRequests,
  unawaited,
  type ConversationChange,
} from '@sigil-mcp/core/internal';
import type { SessionStore } from '@sigil-mcp/core/stores';
import { busy, sessionOver } from '../call';
import { STANDALONE } from '../streams/event-stream';
import type { StreamLease, StreamLeases } from '../streams/standalone-stream';
import type { Peers } from './session-messages';
import type { SessionTable } from './session-table';
import type { SessionWork } from './session-work';
import { JointSaves, readRecord, withChanges, type SessionRecord } from './session-record';
import { LocalRecord, type Session } from './session';

/** The options of session records. */
export interface SessionRecordsInit {
  readonly store: SessionStore;
  /** Milliseconds without use after which a session ends. */
  readonly idleTime: number;
  /** The endpoint of the sessions. */
  readonly endpoint: string;
  /** The sessions of this process. */
  readonly table: SessionTable;
  /** The other instances, which are notified of changes. */
  readonly peers: Peers;
  /** Undefined for a store that does not know for which sessions its instances work. */
  readonly work: SessionWork | undefined;
}

/** Changes by notifications, which clients do not repeat: they are saved with the next request. Changes by refused requests are dropped. */
const NOTIFIED: ReadonlySet<ConversationChange['kind']> = new Set(['ready', 'roots']);

/** The number of attempts to change a record if other instances change it at the same time. */
const TRIES = 20;

/** The records of the sessions of one endpoint, of which the leases of their streams are parts. */
export class SessionRecords implements StreamLeases<Session> {
  readonly #outside = outsideRequests();

  constructor(private readonly init: SessionRecordsInit) {}

  /** Reads a session and marks it as used; undefined if it has ended. Rejects with `StoreAway`. */
  use(id: string): MaybePromise<string | undefined> {
    return this.init.store.use(id, this.init.idleTime);
  }

  /**
   * Begins to track a session that was read, or that was opened here and will be saved: from now on its client is notified of changes,
   * as soon as it opens a stream for them.
   */
  track(
    session: Session,
    { id, changes }: Instance,
    read?: { readonly text: string; readonly record: SessionRecord },
  ): void {
    const { lasting } = session.conversation;
    if (!lasting) return;
    const record = read?.record ?? {
      n: 0,
      endpoint: this.init.endpoint,
      principal: session.principal,
      position: changes.latest,
      conversation: lasting.record,
    };
    const local = new LocalRecord(record, read?.text);
    session.local = local;
    lasting.share(id, (change) => void (local.changes ??= []).push(change));
  }

  leaseOf(session: Session): StreamLease {
    return this.#of(session).record;
  }

  /** Whether other instances can find a session. */
  isStored(session: Session): boolean {
    return this.#of(session).text !== undefined;
  }

  /**
   * Saves the changes by requests; returns at once without changes. Throws or rejects with `StoreAway`, or with a `Refusal` if the session
   * has ended.
   */
  save(session: Session): MaybePromise<void> {
    const local = this.#of(session);
    if (local.isSaved) return undefined;
    if (local.text === undefined) return this.#open(session, local);
    const saved = this.#savesOf(session, local).save();
    // An idle session holds as little as it can.
    if (!isPromise(saved)) local.saves = undefined;
    return saved;
  }

  #savesOf(session: Session, local: LocalRecord): JointSaves<ConversationChange> {
    return (local.saves ??= new JointSaves({
      outside: this.#outside,
      take: () => local.takeChanges(),
      write: (changes) => this.#write(session, local, changes),
      lost: (changes) => this.#lose(session, local, changes),
    }));
  }

  /**
   * Gives a session without an owner to a principal, for all instances. Rejects with `StoreAway`.
   * @param text as it was read
   * @returns its text in the store afterwards; the first principal owns it
   */
  claim(id: string, text: string, principal: string, tries = TRIES): MaybePromise<string | undefined> {
    const record = readRecord(text);
    if (!record || record.principal !== undefined || record.endpoint !== this.init.endpoint || tries === 0) return text;
    // Roots of the previous, anonymous client are no longer valid.
    const conversation = changeRecord(record.conversation, { kind: 'roots' });
    const written = JSON.stringify({ ...record, conversation, principal, n: record.n + 1 });
    return andThen(this.init.store.replace(id, text, written), (outcome) => {
      if (outcome === 'replaced') return andThen(this.#notify({ id }, written, record), () => written);
      return andThen(this.use(id), (read) => (read === undefined ? read : this.claim(id, read, principal, tries - 1)));
    });
  }

  /** Applies a record that was read, unless this instance has written a newer one since. */
  take(session: Session, text: string): void {
    const known = this.#of(session);
    const record = text === known.text ? undefined : readRecord(text);
    if (record && record.n >= known.record.n) this.#know(session, text, record);
  }

  /**
   * Applies a record of another instance, if it is newer than the local one. Without running work, the next request reads it.
   * @param text undefined if it has to be read
   */
  receive(session: Session, text: string | undefined): void {
    if (text === undefined) return session.isBusy ? unawaited(this.#readAgain(session)) : undefined;
    const record = readRecord(text);
    if (record && record.n > this.#of(session).record.n) this.#know(session, text, record);
  }

  /**
   * Replaces a record by an edited one; the same record means no change. Throws or rejects as `save` does.
   * @returns whether it has changed
   */
  edit(session: Session, edit: (record: SessionRecord) => SessionRecord, tries = TRIES): MaybePromise<boolean> {
    const { text, record } = this.#of(session);
    const edited = edit(record);
    if (edited === record) return false;
    if (text === undefined) throw sessionOver();
    if (tries === 0) throw busy('The session is changed by many requests at the same time.');
    const next = { ...edited, n: record.n + 1 };
    const written = JSON.stringify(next);
    return andThen(this.init.store.replace(session.id, text, written), (outcome) => {
      if (outcome !== 'replaced') {
        return andThen(this.use(session.id), (read) => {
          this.#correct(session, text, read ?? this.#over(session));
          return this.edit(session, edit, tries - 1);
        });
      }
      // A notification of a later change may have arrived already.
      if (next.n > this.#of(session).record.n) this.#know(session, written, next);
      return true;
    });
  }

  /** Changes the lease of a stream, which is a part of the record. */
  async changeLease(
    session: Session,
    change: (lease: StreamLease) => Omit<StreamLease, 'n'> | undefined,
  ): Promise<void> {
    await this.edit(session, (record) => {
      const lease = change(record);
      return lease ? { ...record, ...lease } : record;
    });
  }

  takeFrom(instance: string, session: Session): Promise<void> {
    return this.init.peers.takeFrom(instance, session, STANDALONE);
  }

  /** This instance joins first, so that the next one to take the stream finds it. */
  tellTaken(session: Session, stream: string, owner: string): MaybePromise<void> {
    const { work, peers } = this.init;
    return andThen(work?.join(session), () => peers.tellTaken(session, stream, owner));
  }

  /** Corrects a local record that differs from the store. The store may have lost its last writes, so an older record is valid, too. */
  #correct(session: Session, known: string, text: string): void {
    const record = this.#of(session).text === known ? readRecord(text) : undefined;
    if (record) this.#know(session, text, record);
    else this.take(session, text);
  }

  /** Reads the record after changes of others; only one read runs at a time. */
  async #readAgain(session: Session): Promise<void> {
    const local = this.#of(session);
    const isBeingRead = local.changesDuringRead !== undefined;
    local.changesDuringRead = (local.changesDuringRead ?? 0) + 1;
    if (isBeingRead) return;
    try {
      let [text, seen]: [string | undefined, number] = [undefined, 0];
      // The record may have changed again during the read.
      for (; local.changesDuringRead !== seen; text = await this.use(session.id)) seen = local.changesDuringRead;
      if (text !== undefined) this.receive(session, text);
    } finally {
      local.changesDuringRead = undefined;
    }
  }

  #open(session: Session, local: LocalRecord): MaybePromise<void> {
    const { lasting } = session.conversation;
    const record = lasting ? { ...local.record, conversation: lasting.record } : local.record;
    const text = JSON.stringify(record);
    local.changes = undefined;
    return andThen(this.init.store.open(session.id, text, this.init.idleTime), () => {
      local.record = record;
      local.text = text;
    });
  }

  #write(session: Session, local: LocalRecord, changes: readonly ConversationChange[]): MaybePromise<void> {
    const edited = this.edit(session, (record) => withChanges(record, changes));
    return andThen(edited, (isChanged) =>
      isChanged ? this.#notify(session, local.text ?? '', local.record) : undefined,
    );
  }

  /** The change is stored: instances that cannot be notified read it with the next request, or with the next pulse. */
  #notify(session: Pick<Session, 'id'>, text: string, lease: StreamLease): MaybePromise<void> {
    try {
      const notified = this.init.peers.tellChanged(session, text, lease);
      return isPromise(notified) ? notified.catch(() => undefined) : notified;
    } catch {
      return undefined;
    }
  }

  #lose(session: Session, local: LocalRecord, changes: readonly ConversationChange[]): void {
    const notified = changes.filter(({ kind }) => NOTIFIED.has(kind));
    if (notified.length > 0) local.changes = [...notified, ...(local.changes ?? [])];
    this.#restore(session, local);
  }

  #know(session: Session, text: string, record: SessionRecord): void {
    const local = this.#of(session);
    local.text = text;
    local.record = record;
    this.#restore(session, local);
    if (record.principal === undefined || session.principal !== undefined) return;
    // It had no owner, and has one now.
    this.init.table.give(session, record.principal);
    session.running.load.moveTo(record.principal);
  }

  #restore(session: Session, { record, changes = [] }: LocalRecord): void {
    session.conversation.lasting?.restore(withChanges(record, changes).conversation);
  }

  #over(session: Session): never {
    this.init.table.end(session, lateReason('SIGIL_SESSION_ENDED'));
    throw sessionOver();
  }

  #of(session: Session): LocalRecord {
    if (!session.local) throw sessionOver();
    return session.local;
  }
}
