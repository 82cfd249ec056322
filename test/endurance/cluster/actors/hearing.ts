/** What somebody waits to hear. */
import { EventEmitter, once } from 'node:events';

/** Notes when a change was heard of last. */
export class Hearing {
  readonly #last = new Map<string, number>();
  readonly #news = new EventEmitter().setMaxListeners(0);

  /** A change was heard of. */
  hear(change: string): void {
    this.#last.set(change, performance.now());
    this.#news.emit(change);
  }

  /** Whether it was heard of since a point in time (`performance.now()`). */
  hasHeard(change: string, since: number): boolean {
    return (this.#last.get(change) ?? -1) >= since;
  }

  /** Waits until it is heard of, or a signal fires. @returns whether it was */
  async wait(change: string, since: number, signal: AbortSignal): Promise<boolean> {
    if (!this.hasHeard(change, since)) await once(this.#news, change, { signal }).catch(() => undefined);
    return this.hasHeard(change, since);
  }
}
