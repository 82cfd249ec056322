/** The life of what several servers share: opened with the first of them, and closed after the last one. */
import { andThen, isPromise, type MaybePromise } from '@sigil-mcp/base';

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
  /** The step that is on its way; never rejects. */
  #step: Promise<void> | undefined;

  /**
   * A server begins to use the value.
   * @param open opens it, if nobody else uses it
   * @throws what `open` throws: then the server does not use it
   */
  enter(open: () => MaybePromise<void> = () => undefined): MaybePromise<void> {
    this.#users += 1;
    const refuse = (error: unknown): never => {
      this.#users -= 1;
      throw error;
    };
    try {
      const entered = this.#inTurn(() =>
        this.#isOpen ? undefined : andThen(open(), () => void (this.#isOpen = true)),
      );
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
