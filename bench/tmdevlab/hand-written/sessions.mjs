/** Sessions in memory: random ids, what is in flight in each, and an end for those that nobody uses. */
import { randomUUID } from 'node:crypto';

const IDLE_TIME = 30 * 60_000;
const MAX_SESSIONS = 10_000;

class Session {
  id = randomUUID();
  usedAt = Date.now();
  #inFlight = new Set();

  /** @param id of a request; undefined for a notification */
  begin(id) {
    this.usedAt = Date.now();
    if (id !== undefined) this.#inFlight.add(id);
  }

  end(id) {
    this.#inFlight.delete(id);
  }

  get isBusy() {
    return this.#inFlight.size > 0;
  }
}

export class Sessions {
  #byId = new Map();

  constructor() {
    globalThis.setInterval(() => this.#closeIdle(), 60_000).unref();
  }

  /** @returns a new session for the request that opens one, and otherwise that of the id, if there is one */
  find(id, isOpening) {
    return isOpening ? this.#open() : this.#byId.get(id);
  }

  /** @returns whether there was one */
  close(id) {
    return this.#byId.delete(id);
  }

  #open() {
    if (this.#byId.size >= MAX_SESSIONS) this.close(this.#byId.keys().next().value);
    const session = new Session();
    this.#byId.set(session.id, session);
    return session;
  }

  #closeIdle() {
    const before = Date.now() - IDLE_TIME;
    for (const [id, session] of this.#byId) if (!session.isBusy && session.usedAt < before) this.#byId.delete(id);
  }
}
