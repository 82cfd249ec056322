/** What authors hold in place of a session: an object that is the same for all calls of it, and has nothing but its id. */

/** The handles of one server. */
export class SessionHandles {
  readonly #handles = new WeakMap<object, object>();

  /** The handle of a session or connection; undefined for a call that belongs to none. */
  of(session: object | undefined): object | undefined {
    if (session === undefined) return undefined;
    const known = this.#handles.get(session);
    if (known) return known;
    const handle = Object.freeze('id' in session ? { id: session.id } : {});
    this.#handles.set(session, handle);
    return handle;
  }
}
