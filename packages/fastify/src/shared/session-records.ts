/** What stands in the store of the sessions that are known here: read, and replaced where it is still what was read. */
import { changeRecord, isPromise, unawaited, type ConversationChange, type Instance } from '@sigil-mcp/core/adapter';
import type { MaybePromise, SessionStore } from '@sigil-mcp/core/stores';
import { busy, sessionOver } from '../refusals/refusal';
import type { Session } from '../sessions/session';
import { JointSaves } from './joint-saves';
import { readRecord, withChanges, type SessionRecord } from './session-record';

/** What records are kept with. */
export interface SessionRecordsInit {
  readonly store: SessionStore;
  /** Milliseconds without a use after which a session is over. */
  readonly idleTime: number;
  /** The endpoint of the sessions. */
  readonly endpoint: string;
  /** A session is over, or was never opened: what runs for it here is to end. */
  readonly over: (session: Session) => void;
  /** A session has changed, and others have to know. */
  readonly changed: (session: Pick<Session, 'id'>, text: string) => MaybePromise<void>;
  /** A session that belonged to nobody is somebody's. */
  readonly claimed: (session: Session, principal: string) => void;
}

/** What is known of a session. */
interface Kept {
  /** As it stands in the store; undefined for a session that is not there yet. */
  text: string | undefined;
  record: SessionRecord;
  /** What requests have changed, and is not in the store yet. */
  readonly changes: ConversationChange[];
  /** Brings them there. */
  readonly saves: JointSaves<ConversationChange>;
  /** How often others have said that they have changed it, since somebody began to read it for that; undefined while nobody does. */
  told?: number | undefined;
}

/** What notifications change, which nobody sends again: it is saved with the next request. Whatever a refused request wanted is not done. */
const NOTIFIED: ReadonlySet<ConversationChange['kind']> = new Set(['ready', 'roots']);

/** Times that a record is read again because another instance was faster. */
const TRIES = 20;

/** The records of the sessions of one endpoint. */
export class SessionRecords {
  readonly #kept = new WeakMap<Session, Kept>();

  constructor(private readonly init: SessionRecordsInit) {}

  /** Reads a session, which is used by that; undefined where it is over. Rejects with `StoreAway`. */
  use(id: string): MaybePromise<string | undefined> {
    return this.init.store.use(id, this.init.idleTime);
  }

  /**
   * Begins to keep track of a session that was read, or that was opened here and is to be saved: its client is told of what changes from now
   * on, whenever it opens a stream for that.
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

  /** What was last read of a session, or written. */
  recordOf(session: Session): SessionRecord {
    return this.#of(session).record;
  }

  /** Whether a session can be found by others. */
  isThere(session: Session): boolean {
    return this.#of(session).text !== undefined;
  }

  /** Writes what requests have changed; at once where they have not. Rejects with `StoreAway`, or a `Refusal` where it is over. */
  save(session: Session): void | Promise<void> {
    const kept = this.#of(session);
    if (kept.text === undefined) return this.#open(session, kept);
    return kept.changes.length === 0 && !kept.saves.isWriting ? undefined : kept.saves.save();
  }

  /**
   * Makes a session that belongs to nobody a principal's, for all instances. Rejects with `StoreAway`.
   * @param text as it was read
   * @returns as it stands in the store then; whoever was faster has it
   */
  async claim(id: string, text: string, principal: string): Promise<string | undefined> {
    let read: string | undefined = text;
    for (let tries = 0; tries < TRIES && read !== undefined; tries++) {
      const record = readRecord(read);
      if (!record || record.principal !== undefined || record.endpoint !== this.init.endpoint) break;
      // What somebody else may have said of the roots holds no more.
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

  /** Takes over what was read of a session, unless this instance has written something newer since. */
  take(session: Session, text: string): void {
    const known = this.#of(session);
    const record = text === known.text ? undefined : readRecord(text);
    if (record && record.n >= known.record.n) this.#know(session, text, record);
  }

  /**
   * Takes over what another instance has written, if it is newer than what is known. Where nothing runs here the next request reads it.
   * @param text undefined where it is to be read
   */
  hear(session: Session, text: string | undefined): void {
    if (text === undefined) return session.isBusy ? unawaited(this.#readAgain(session)) : undefined;
    const record = readRecord(text);
    if (record && record.n > this.recordOf(session).n) this.#know(session, text, record);
  }

  /**
   * Replaces a record by what becomes of it; by itself for no change. Rejects as `save` does.
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
        // What was written after it may have been heard of before.
        if (next.n > this.#of(session).record.n) this.#know(session, written, next);
        return true;
      }
      this.#correct(session, text, (await this.use(session.id)) ?? this.#over(session));
    }
    throw busy('The session is changed by many requests at the same time.');
  }

  /** What is known is not what stands in the store, which may have lost its last words: so an older record counts, too. */
  #correct(session: Session, known: string, text: string): void {
    const record = this.#of(session).text === known ? readRecord(text) : undefined;
    if (record) this.#know(session, text, record);
    else this.take(session, text);
  }

  /** One reading at a time, however often it is changed. */
  async #readAgain(session: Session): Promise<void> {
    const kept = this.#of(session);
    const isBeingRead = kept.told !== undefined;
    kept.told = (kept.told ?? 0) + 1;
    if (isBeingRead) return;
    try {
      let [text, told]: [string | undefined, number] = [undefined, 0];
      // What was changed meanwhile may not have been read.
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
      // It is written: who could not be told of it reads it with the next request, or with the next pulse.
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
