/** What the processes of the cluster have said on stderr, for those who wait for it. */
import { EventEmitter, once } from 'node:events';
import type { Mark } from '../server/marks';
import { until } from '../until';

/** A mark, and which process made it. */
export interface SeenMark extends Mark {
  readonly lane: number;
  /** Milliseconds of the timeline. */
  readonly at: number;
}

/** All marks that were made. */
export class Marks {
  readonly #seen = new Map<string, SeenMark>();
  readonly #counts = new Map<string, number>();
  readonly #news = new EventEmitter().setMaxListeners(0);

  /** Notes a mark. */
  note(mark: SeenMark): void {
    const key = `${mark.kind} ${mark.label}`;
    this.#seen.set(key, mark);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    this.#news.emit(key);
  }

  /** How often a mark was made so far. */
  count(kind: Mark['kind'], label: string): number {
    return this.#counts.get(`${kind} ${label}`) ?? 0;
  }

  /** Waits for a mark, for so many milliseconds; undefined if it does not come. */
  async find(kind: Mark['kind'], label: string, patience: number): Promise<SeenMark | undefined> {
    const key = `${kind} ${label}`;
    if (!this.#seen.has(key)) {
      const signal = until(patience);
      await once(this.#news, key, { signal }).catch(() => undefined);
    }
    return this.#seen.get(key);
  }
}
