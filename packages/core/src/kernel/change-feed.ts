/** Tells one client of changes no faster than it reads: what changes meanwhile is told once, however often it did. */
import type { ChangeNotification } from '@sigil-mcp/protocol';
import { isPromise, type MaybePromise } from '../values/maybe-promise';

/** A change, and where it stands among all that were announced. */
interface Told {
  readonly change: ChangeNotification;
  readonly position: string | undefined;
}

/** Stands between what changes and the way out to one client. */
export class ChangeFeed {
  readonly #waiting = new Map<string, Told>();
  #isCongested = false;

  /** @param send hands a change to the transport; a promise where there is no room, until there is */
  constructor(
    private readonly send: (change: ChangeNotification, position: string | undefined) => MaybePromise<void>,
  ) {}

  /** Sends a change, or keeps it until there is room: the last one of each list and each resource, in the order of these. */
  tell(change: ChangeNotification, position?: string): void {
    if (!this.#isCongested) return this.#send({ change, position });
    const key = 'uri' in change ? change.uri : change.method;
    // A client that has the position of one has everything before it.
    this.#waiting.delete(key);
    this.#waiting.set(key, { change, position });
  }

  #send({ change, position }: Told): void {
    const room = this.send(change, position);
    if (!isPromise(room)) return;
    this.#isCongested = true;
    const goOn = (): void => this.#flush();
    room.then(goOn, goOn);
  }

  #flush(): void {
    this.#isCongested = false;
    for (const [key, told] of this.#waiting) {
      if (this.#isCongested) return;
      this.#waiting.delete(key);
      this.#send(told);
    }
  }
}
