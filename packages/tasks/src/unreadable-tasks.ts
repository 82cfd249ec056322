/**
 * Tasks that are due, and that this process cannot open: they were sealed with a secret that it does not have. Another instance may have it, as
 * while secrets are rotated; or nobody has it any more.
 */

/** Milliseconds that a task is kept after it was due, if it cannot be opened: three days. */
const KEPT = 259_200_000;
/** Milliseconds until such a task is looked at again: another instance may have sealed it with a secret that this one has. */
const LOOK_AGAIN = 600_000;

/** Remembers them, so that they do not stand in the way of tasks that are due later. */
export class UnreadableTasks {
  /** When each is looked at again, in milliseconds since 1970. */
  readonly #until = new Map<string, number>();

  /** How many are remembered: no more than a store has tasks whose work has not ended. */
  get size(): number {
    return this.#until.size;
  }

  /** Remembers a task. Returns false if it was due so long ago that nobody will open it. */
  add({ id, dueAt }: { readonly id: string; readonly dueAt: number }, now: number): boolean {
    if (dueAt + KEPT <= now) {
      this.#until.delete(id);
      return false;
    }
    this.#until.set(id, Math.min(now + LOOK_AGAIN, dueAt + KEPT));
    return true;
  }

  /** Whether a task is not to be looked at now. */
  has(id: string, now: number): boolean {
    const until = this.#until.get(id);
    if (until === undefined || until > now) return until !== undefined;
    this.#until.delete(id);
    return false;
  }

  /** A task was changed: it may be readable now. */
  forget(id: string): void {
    this.#until.delete(id);
  }
}
