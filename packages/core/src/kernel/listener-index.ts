/** Finds the listeners of one subject, such as the URI of a resource, without asking the others. */

/** Subjects -> their listeners. Most subjects have one, which is stored without a set of its own. */
export class ListenerIndex<Listener extends object> {
  readonly #listeners = new Map<string, Listener | Set<Listener>>();

  add(subject: string, listener: Listener): void {
    const known = this.#listeners.get(subject);
    if (known instanceof Set) known.add(listener);
    else if (known === undefined) this.#listeners.set(subject, listener);
    else if (known !== listener) this.#listeners.set(subject, new Set([known, listener]));
  }

  delete(subject: string, listener: Listener): void {
    const known = this.#listeners.get(subject);
    if (known instanceof Set) known.delete(listener);
    if (known === listener || (known instanceof Set && known.size === 0)) this.#listeners.delete(subject);
  }

  /** The listeners of a subject, in the order in which they were added. */
  of(subject: string): readonly Listener[] {
    const known = this.#listeners.get(subject);
    if (known === undefined) return [];
    return known instanceof Set ? [...known] : [known];
  }
}
