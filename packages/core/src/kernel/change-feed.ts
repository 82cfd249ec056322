/** Tells one client of changes no faster than it reads: what changes meanwhile is told once, however often it did. */
import type { ChangeNotification } from '@sigil-mcp/protocol';
import { isPromise, type MaybePromise } from '../values/maybe-promise';

/** Stands between what changes and the way out to one client. */
export class ChangeFeed {
  readonly #waiting = new Map<string, ChangeNotification>();
  #isCongested = false;

  /** @param send hands a change to the transport; a promise where there is no room, until there is */
  constructor(private readonly send: (change: ChangeNotification) => MaybePromise<void>) {}

  /** Sends a change, or keeps it until there is room: the last one of each list and each resource. */
  tell(change: ChangeNotification): void {
    if (this.#isCongested) this.#waiting.set('uri' in change ? change.uri : change.method, change);
    else this.#send(change);
  }

  #send(change: ChangeNotification): void {
    const room = this.send(change);
    if (!isPromise(room)) return;
    this.#isCongested = true;
    const goOn = (): void => this.#flush();
    room.then(goOn, goOn);
  }

  #flush(): void {
    this.#isCongested = false;
    for (const [key, change] of this.#waiting) {
      if (this.#isCongested) return;
      this.#waiting.delete(key);
      this.#send(change);
    }
  }
}
