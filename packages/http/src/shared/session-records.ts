/** The records of local sessions in the store: read, and replaced if they have not changed since. */
import { changeRecord, isPromise, unawaited, type ConversationChange, type Instance } from '@sigil-mcp/core/adapter';
import type { MaybePromise, SessionStore } from '@sigil-mcp/core/stores';
import { busy, sessionOver } from '../refusals/refusal';
import type { Session } from '../sessions/session';
import { JointSaves } from './joint-saves';
import { readRecord, withChanges, type SessionRecord } from './session-record';

/** The options of session records. */
export interface SessionRecordsInit {
  readonly store: SessionStore;
  /** Milliseconds without use after which a session ends. */
  readonly idleTime: number;
  /** The endpoint of the sessions. */
  readonly endpoint: string;
  /** A session has ended or does not exist: its local work has to end. */
  readonly over: (session: Session) => void;
  /** A session has changed, and other instances have to be notified. */
  readonly changed: (session: Pick<Session, 'id'>, text: string) => MaybePromise<void>;
  /** A session without an owner has got one. */
  readonly claimed: (session: Session, principal: string) => void;
}

/** The local data of a session. */
interface Kept {
  /** Its text in the store; undefined for a session that is not stored yet. */
  text: string | undefined;
  record: SessionRecord;
  /** Changes by requests that are not stored yet. */
  readonly changes: ConversationChange[];
  /** Saves them. */
  readonly saves: JointSaves<ConversationChange>;
  /** The number of changes by other instances since a read of the record began; undefined without a read. */
  told?: number | undefined;
}

/** Changes by notifications, which clients do not repeat: they are saved with the next request. Changes by refused requests are dropped. */
const NOTIFIED: ReadonlySet<ConversationChange['kind']> = new Set(['ready', 'roots']);

/** The number of attempts to change a record if other instances change it at the same time. */
const TRIES = 20;

/** The records of the sessions of one endpoint. */
export class SessionRecords {
  readonly #kept = new WeakMap<Session, Kept>();

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
    { id, position }: Instance,
    read?: { readonly text: string; readonly record: SessionRecord },
  ): void {
    const { lasting } = session.conversation;
    if (!lasting) return;
    const record = read?.record ?? {
      n: 0,
      endpoint: this.init.endpoint,
      principal: session.principal,
      position,
      conversation: lasting.record,
    };
    const kept: Kept = {
      text: read?.text,
      record,
      changes: [],
      saves: new JointSaves({
        take: () => kept.changes.splice(0),
        write: (changes) => this.#write(session, kept, changes),
        lost: (changes) => this.#lose(session, kept, changes),
      }),
    };
    this.#kept.set(session, kept);
    lasting.share(id, (change) => void kept.changes.push(change));
  }

  /** The latest known record of a session. */
  recordOf(session: Session): SessionRecord {
    return this.#of(session).record;
  }

  /** Whether other instances can find a session. */
  isThere(session: Session): boolean {
    return this.#of(session).text !== undefined;
  }

  /** Saves the changes by requests; returns at once without changes. Rejects with `StoreAway`, or a `Refusal` if the session has ended. */
  save(session: Session): void | Promise<void> {
    const kept = this.#of(session);
    if (kept.text === undefined) return this.#open(session, kept);
    return kept.changes.length === 0 && !kept.saves.isWriting ? undefined : kept.saves.save();
  }

  /**
   * Gives a session without an owner to a principal, for all instances. Rejects with `StoreAway`.
   * @param text as it was read
   * @returns its text in the store afterwards; the first principal owns it
   */
  async claim(id: string, text: string, principal: string): Promise<string | undefined> {
    let read: string | undefined = text;
    for (let tries = 0; tries < TRIES && read !== undefined; tries++) {
      const record = readRecord(read);
      if (!record || record.principal !== undefined || record.endpoint !== this.init.endpoint) break;
      // Roots of the previous, anonymous client are no longer valid.
      const conversation = changeRecord(record.conversation, { kind: 'roots' });
      const written = JSON.stringify({ ...record, conversation, principal, n: record.n + 1 });
      if ((await this.init.store.replace(id, read, written)) === 'replaced') {
        await this.#tell({ id }, written);
        return written;
      }
      read = await this.use(id);
    }
    return read;
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
  hear(session: Session, text: string | undefined): void {
    if (text === undefined) return session.isBusy ? unawaited(this.#readAgain(session)) : undefined;
    const record = readRecord(text);
    if (record && record.n > this.recordOf(session).n) this.#know(session, text, record);
  }

  /**
   * Replaces a record by an edited one; the same record means no change. Rejects as `save` does.
   * @returns whether it has changed
   */
  async edit(session: Session, edit: (record: SessionRecord) => SessionRecord): Promise<boolean> {
    for (let tries = 0; tries < TRIES; tries++) {
      const { text, record } = this.#of(session);
      const edited = edit(record);
      if (edited === record) return false;
      if (text === undefined) throw sessionOver();
      const next = { ...edited, n: record.n + 1 };
      const written = JSON.stringify(next);
      if ((await this.init.store.replace(session.id, text, written)) === 'replaced') {
        // A notification of a later change may have arrived already.
        if (next.n > this.#of(session).record.n) this.#know(session, written, next);
        return true;
      }
      this.#correct(session, text, (await this.use(session.id)) ?? this.#over(session));
    }
    throw busy('The session is changed by many requests at the same time.');
  }

  /** Corrects a local record that differs from the store. The store may have lost its last writes, so an older record is valid, too. */
  #correct(session: Session, known: string, text: string): void {
    const record = this.#of(session).text === known ? readRecord(text) : undefined;
    if (record) this.#know(session, text, record);
    else this.take(session, text);
  }

  /** Reads the record after changes of others; only one read runs at a time. */
  async #readAgain(session: Session): Promise<void> {
    const kept = this.#of(session);
    const isBeingRead = kept.told !== undefined;
    kept.told = (kept.told ?? 0) + 1;
    if (isBeingRead) return;
    try {
      let [text, told]: [string | undefined, number] = [undefined, 0];
      // The record may have changed again during the read.
      for (; kept.told !== told; text = await this.use(session.id)) told = kept.told;
      if (text !== undefined) this.hear(session, text);
    } finally {
      kept.told = undefined;
    }
  }

  async #open(session: Session, kept: Kept): Promise<void> {
    const { lasting } = session.conversation;
    const record = lasting ? { ...kept.record, conversation: lasting.record } : kept.record;
    const text = JSON.stringify(record);
    kept.changes.length = 0;
    await this.init.store.open(session.id, text, this.init.idleTime);
    kept.record = record;
    kept.text = text;
  }

  async #write(session: Session, kept: Kept, changes: readonly ConversationChange[]): Promise<void> {
    if (!(await this.edit(session, (record) => withChanges(record, changes)))) return;
    await this.#tell(session, kept.text ?? '');
  }

  async #tell(session: Pick<Session, 'id'>, text: string): Promise<void> {
    try {
      const told = this.init.changed(session, text);
      if (isPromise(told)) await told;
    } catch {
      // It is stored: instances that were not notified read it with the next request, or with the next pulse.
    }
  }

  #lose(session: Session, kept: Kept, changes: readonly ConversationChange[]): void {
    kept.changes.unshift(...changes.filter(({ kind }) => NOTIFIED.has(kind)));
    this.#restore(session, kept);
  }

  #know(session: Session, text: string, record: SessionRecord): void {
    const kept = this.#of(session);
    kept.text = text;
    kept.record = record;
    this.#restore(session, kept);
    if (record.principal !== undefined && session.principal === undefined) this.init.claimed(session, record.principal);
  }

  #restore(session: Session, { record, changes }: Kept): void {
    session.conversation.lasting?.restore(withChanges(record, changes).conversation);
  }

  #over(session: Session): never {
    this.init.over(session);
    throw sessionOver();
  }

  #of(session: Session): Kept {
    const kept = this.#kept.get(session);
    if (!kept) throw sessionOver();
    return kept;
  }
}
