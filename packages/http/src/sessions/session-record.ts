/**
 * A session in the store: one JSON text, which is small because each session has one. Changes of several requests may be saved together, so that
 * each request waits only until the changes that existed when it asked are saved.
 */
import type { MaybePromise } from '@sigil-mcp/core/adapter';
import {
  changeRecord,
  isConversationRecord,
  isObject,
  parseJson,
  type ConversationChange,
  type ConversationRecord,
  isPromise,
  unawaited,
  type RunOutside,
} from '@sigil-mcp/core/internal';
import type { StreamLease } from '../streams/standalone-stream';

/** The data that any instance needs to continue a session. Of two texts of one session, the one with the higher `n` is newer. */
export interface SessionRecord extends StreamLease {
  /** The endpoint that it was opened at; no other endpoint serves it. */
  readonly endpoint: string;
  /** The owner; undefined without authentication. */
  readonly principal?: string | undefined;
  readonly conversation: ConversationRecord;
}

/** A record with changes of its conversation; the same object if they have no effect. */
export function withChanges(record: SessionRecord, changes: readonly ConversationChange[]): SessionRecord {
  const conversation = changes.reduce(changeRecord, record.conversation);
  return conversation === record.conversation ? record : { ...record, conversation };
}

/** Reads a record; undefined for one of another version, which is treated as missing. */
export function readRecord(text: string): SessionRecord | undefined {
  const record = parseJson(text);
  const isRecord = isObject(record) && typeof record['n'] === 'number' && isConversationRecord(record['conversation']);
  return isRecord ? (record as unknown as SessionRecord) : undefined;
}

/** How the changes of a session are saved. */
export interface JointSavesInit<T> {
  readonly outside: RunOutside;
  /** Takes the changes so far. */
  readonly take: () => readonly T[];
  /** Saves them; throws or rejects if that fails. */
  readonly write: (changes: readonly T[]) => MaybePromise<void>;
  /** Called with changes that will not be saved, after which the waiting requests are rejected. */
  readonly lost: (changes: readonly T[]) => void;
}

interface SaveWaiter {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Changes that are saved together for some requests. */
interface Batch<T> {
  readonly changes: readonly T[];
  readonly waiting: readonly SaveWaiter[];
}

/** The saves of one session. */
export class JointSaves<T> {
  #waiting: SaveWaiter[] = [];
  #isWriting = false;

  constructor(private readonly init: JointSavesInit<T>) {}

  /** Whether a save is running. */
  get isWriting(): boolean {
    return this.#isWriting;
  }

  /** Saves all changes so far: at once if the store is, and nothing else is being saved. Throws or rejects if some cannot be saved. */
  save(): MaybePromise<void> {
    if (this.#isWriting) return this.#wait();
    const changes = this.init.take();
    let written: MaybePromise<void>;
    try {
      written = this.init.write(changes);
    } catch (error) {
      this.init.lost(changes);
      throw error;
    }
    if (!isPromise(written)) return undefined;
    const saved = this.#wait();
    const first = { changes, waiting: this.#waiting.splice(0) };
    // The saves after it are those of other requests.
    unawaited(this.init.outside(() => this.#writeAll(first, written)));
    return saved;
  }

  #wait(): Promise<void> {
    return new Promise((resolve, reject) => void this.#waiting.push({ resolve, reject }));
  }

  /**
   * Changes that could not be saved are saved again with the next ones, if another request waits already: that request may have
   * contributed to them. Otherwise they are given up.
   */
  async #writeAll(first: Batch<T>, written: Promise<void>): Promise<void> {
    this.#isWriting = true;
    let failed = await this.#settle(first, () => written, true);
    while (this.#waiting.length > 0 || failed) {
      const batch: Batch<T> = {
        changes: [...(failed?.changes ?? []), ...this.init.take()],
        waiting: [...(failed?.waiting ?? []), ...this.#waiting.splice(0)],
      };
      failed = await this.#settle(batch, () => this.init.write(batch.changes), failed === undefined);
    }
    this.#isWriting = false;
  }

  /** Returns the batch if it is to be saved again. */
  async #settle(batch: Batch<T>, write: () => MaybePromise<void>, isFirst: boolean): Promise<Batch<T> | undefined> {
    try {
      await write();
      for (const { resolve } of batch.waiting) resolve();
      return undefined;
    } catch (error) {
      if (isFirst && this.#waiting.length > 0) return batch;
      this.init.lost(batch.changes);
      for (const { reject } of batch.waiting) reject(error);
      return undefined;
    }
  }
}
