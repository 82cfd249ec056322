/**
 * Tasks that are due, and that this process leaves to others: it cannot open them, or does not have their tool. They do not stand in the way of
 * tasks that are due later.
 */
export class LeftTasks {
  /** When each is looked at again, in milliseconds since 1970: no more than a store has tasks whose work has not ended. */
  readonly #until = new Map<string, number>();

  /** Leaves a task until a time, or until it changes. */
  leave(id: string, until: number): void {
    this.#until.set(id, until);
  }

  /** Whether a task is not to be looked at now. */
  has(id: string, now: number): boolean {
    const until = this.#until.get(id);
    if (until === undefined || until > now) return until !== undefined;
    this.#until.delete(id);
    return false;
  }

  /** A task was changed: it may be one for this process now. */
  forget(id: string): void {
    this.#until.delete(id);
  }
}
