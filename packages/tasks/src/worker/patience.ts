/** Tries commands of a store again for as long as that makes sense. */
import type { Clock } from '@sigil-mcp/core';

const FIRST_WAIT = 50;
const LONGEST_WAIT = 1000;

/** Made for one user of a store. */
export class Patience {
  /** @param isOver whether no command of this user makes sense any more */
  constructor(
    private readonly clock: Clock,
    private readonly isOver: () => boolean,
  ) {}

  /** What a command resolves to; rejects with its last error. Commands are such that a second time does no harm. */
  async with<T>(command: () => Promise<T>): Promise<T> {
    for (let wait = FIRST_WAIT; ; wait = Math.min(wait * 2, LONGEST_WAIT)) {
      try {
        return await command();
      } catch (error) {
        if (this.isOver()) throw error;
        await new Promise<void>((resolve) => this.clock.after(wait, resolve));
      }
    }
  }
}
