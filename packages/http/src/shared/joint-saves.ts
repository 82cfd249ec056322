/**
 * Saves of one session, one after the other. The changes of several requests may be saved together, so that each request waits only
 * until the changes that existed when it asked are saved.
 */
import { unawaited } from '@sigil-mcp/core/adapter';

/** How the changes of a session are saved. */
export interface JointSavesInit<T> {
  /** Takes the changes so far. */
  readonly take: () => readonly T[];
  /** Saves them; rejects if that fails. */
  readonly write: (changes: readonly T[]) => Promise<void>;
  /** Called with changes that will not be saved, after which the waiting requests are rejected. */
  readonly lost: (changes: readonly T[]) => void;
}

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Changes that are saved together for some requests. */
interface Batch<T> {
  readonly changes: readonly T[];
  readonly waiting: readonly Waiting[];
}

/** The saves of one session. */
export class JointSaves<T> {
  #waiting: Waiting[] = [];
  #isWriting = false;

  constructor(private readonly init: JointSavesInit<T>) {}

  /** Whether a save is running. */
  get isWriting(): boolean {
    return this.#isWriting;
  }

  /** Resolves when all changes so far are saved; rejects if some of them cannot be saved. */
  save(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      if (!this.#isWriting) unawaited(this.#writeAll());
    });
  }

  /**
   * Changes that could not be saved are saved again with the next ones, if another request waits already: that request may have
   * contributed to them. Otherwise they are given up.
   */
  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    let failed: Batch<T> | undefined;
    while (this.#waiting.length > 0 || failed) {
      const batch: Batch<T> = {
        changes: [...(failed?.changes ?? []), ...this.init.take()],
        waiting: [...(failed?.waiting ?? []), ...this.#waiting.splice(0)],
      };
      failed = await this.#try(batch, failed === undefined);
    }
    this.#isWriting = false;
  }

  async #try(batch: Batch<T>, isFirst: boolean): Promise<Batch<T> | undefined> {
    try {
      await this.init.write(batch.changes);
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
