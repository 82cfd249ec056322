/** The life of what several servers share: opened with the first of them, and closed after the last one. */
import { andThen, isPromise, nameValue, type MaybePromise } from '@sigil-mcp/base';
import { sigilError } from '../errors/catalogue';

/**
 * Counts the servers that use one value. Its steps follow one another: what closes while it opens waits, and what opens while it closes
 * waits for its end.
 * @example
 * const life = lifeOf(store);
 * await life.enter(() => store.open());
 * await life.leave(() => store.close());
 */
export class SharedLife {
  #users = 0;
  #isOpen = false;
  /** The name of the server whose data it has; undefined for what has none. */
  #server: string | undefined;
  /** The step that is on its way; never rejects. */
  #step: Promise<void> | undefined;

  /**
   * A server begins to use the value.
   * @param open opens it, if nobody else uses it
   * @param server the name of the server, if the value has data that servers of other names must not see; any server may enter if left out
   * @throws what `open` throws, and `SIGIL_STORE_SHARED`: then the server does not use it
   */
  enter(open: () => MaybePromise<void> = () => undefined, server?: string): MaybePromise<void> {
    this.#users += 1;
    const refuse = (error: unknown): never => {
      this.#users -= 1;
      throw error;
    };
    try {
      const entered = this.#inTurn(() => {
        if (!this.#isOpen) return andThen(open(), () => this.#opened(server));
        if (server !== this.#server)
          throw sigilError('SIGIL_STORE_SHARED', { other: nameValue(this.#server), server: nameValue(server) });
      });
      return isPromise(entered) ? entered.catch(refuse) : entered;
    } catch (error) {
      return refuse(error);
    }
  }

  /**
   * A server that has entered uses the value no longer.
   * @param close closes it, if nobody else uses it
   * @throws what `close` throws: it counts as closed
   */
  leave(close: () => MaybePromise<void> = () => undefined): MaybePromise<void> {
    this.#users -= 1;
    return this.#inTurn(() => {
      if (this.#users > 0 || !this.#isOpen) return undefined;
      this.#isOpen = false;
      return close();
    });
  }

  #opened(server: string | undefined): void {
    this.#isOpen = true;
    this.#server = server;
  }

  #inTurn(act: () => MaybePromise<void>): MaybePromise<void> {
    const done = this.#step ? this.#step.then(act) : act();
    if (!isPromise(done)) return undefined;
    const settled = (): void => {
      if (this.#step === step) this.#step = undefined;
    };
    const step: Promise<void> = done.then(settled, settled);
    this.#step = step;
    return done;
  }
}

// eslint-disable-next-line no-restricted-syntax -- belongs to the values, and is collected with them
const lives = new WeakMap<object, SharedLife>();

/** The life of a value that may be given to several servers, such as a store: always the same one. */
export function lifeOf(value: object): SharedLife {
  const known = lives.get(value);
  if (known) return known;
  const life = new SharedLife();
  lives.set(value, life);
  return life;
}
