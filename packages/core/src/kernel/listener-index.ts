/** Finds the listeners of one subject, such as the URI of a resource, without asking the others. */

/** Begins to follow a subject. Returns a function that stops it. */
export type FollowSubject = (subject: string) => () => void;

/** Subjects -> their listeners. Most subjects have one, which is stored without a set of its own. */
export class ListenerIndex<Listener extends object> {
  readonly #listeners = new Map<string, Listener | Set<Listener>>();
  #follow: FollowSubject | undefined;
  /** What stops following each subject. */
  readonly #stops = new Map<string, () => void>();

  /** Follows each subject that has listeners, from now on; without a function it stops following them. */
  followWith(follow: FollowSubject | undefined): void {
    for (const stop of this.#stops.values()) stop();
    this.#stops.clear();
    this.#follow = follow;
    for (const subject of this.#listeners.keys()) this.#begin(subject);
  }

  /** Whether a subject has listeners. */
  has(subject: string): boolean {
    return this.#listeners.has(subject);
  }

  add(subject: string, listener: Listener): void {
    const known = this.#listeners.get(subject);
    if (known instanceof Set) known.add(listener);
    else if (known === undefined) {
      this.#listeners.set(subject, listener);
      this.#begin(subject);
    } else if (known !== listener) this.#listeners.set(subject, new Set([known, listener]));
  }

  delete(subject: string, listener: Listener): void {
    const known = this.#listeners.get(subject);
    if (known instanceof Set) known.delete(listener);
    if (known === listener || (known instanceof Set && known.size === 0)) this.#forget(subject);
  }

  /** The listeners of a subject, in the order in which they were added. */
  of(subject: string): readonly Listener[] {
    const known = this.#listeners.get(subject);
    if (known === undefined) return [];
    return known instanceof Set ? [...known] : [known];
  }

  #begin(subject: string): void {
    if (this.#follow) this.#stops.set(subject, this.#follow(subject));
  }

  #forget(subject: string): void {
    this.#listeners.delete(subject);
    this.#stops.get(subject)?.();
    this.#stops.delete(subject);
  }
}
