/** Notifies one client of changes no faster than it reads: repeated changes in the meantime are sent once. */
import type { ChangeNotification } from '@sigil-mcp/protocol';
import { isPromise, type MaybePromise } from '@sigil-mcp/base';

/** A change, and its position among all announced changes. */
interface PositionedChange {
  readonly change: ChangeNotification;
  readonly position: string | undefined;
}

/** Stands between what changes and the way out to one client. */
export class ChangeFeed {
  readonly #waiting = new Map<string, PositionedChange>();
  #isCongested = false;

  /** @param send passes a change to the transport; returns a promise while its buffer is full */
  constructor(
    private readonly send: (change: ChangeNotification, position: string | undefined) => MaybePromise<void>,
  ) {}

  /** Sends a change, or stores it until there is room: the last one of each list and each resource, in order. */
  tell(change: ChangeNotification, position?: string): void {
    if (!this.#isCongested) return this.#send({ change, position });
    const key = subjectOf(change);
    // A client that has the position of one has everything before it.
    this.#waiting.delete(key);
    this.#waiting.set(key, { change, position });
  }

  #send({ change, position }: PositionedChange): void {
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

/** Changes with the same subject supersede each other. */
export function subjectOf(change: ChangeNotification): string {
  if (change.method === 'extension') return `${change.notification} ${change.subject ?? ''}`;
  return 'uri' in change ? change.uri : change.method;
}
