/**
 * Writes of one session, one after the other. What one request has changed may be written with what another one has, so that each waits
 * until all is written that was there to write when it came, and for nothing else.
 */
import { unawaited } from '@sigil-mcp/core/adapter';

/** How the changes of a session are saved. */
export interface JointSavesInit<T> {
  /** Takes what there is to write by now. */
  readonly take: () => readonly T[];
  /** Writes it; rejects where that cannot be done. */
  readonly write: (changes: readonly T[]) => Promise<void>;
  /** Hears of what is written no more: whoever wanted it is told so. */
  readonly lost: (changes: readonly T[]) => void;
}

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** What is written for some requests together. */
interface Batch<T> {
  readonly changes: readonly T[];
  readonly waiting: readonly Waiting[];
}

/** The saves of one session. */
export class JointSaves<T> {
  #waiting: Waiting[] = [];
  #isWriting = false;

  constructor(private readonly init: JointSavesInit<T>) {}

  /** Whether something is being written. */
  get isWriting(): boolean {
    return this.#isWriting;
  }

  /** Resolves when all is written that has changed by now; rejects where some of it is not. */
  save(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      if (!this.#isWriting) unawaited(this.#writeAll());
    });
  }

  /**
   * What could not be written is written with what comes next, where somebody waits for that already: whoever that is may have had a part in
   * it. Else it is given up.
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
