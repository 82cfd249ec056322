/** What all slots of a cluster have together: each slot counts its own. */
import type { Clock } from '@sigil-mcp/core';
import type { TaskCount, TaskRoom } from '../task-store';

/** What a slot has, and how much of it nobody works with. */
export interface SlotCount extends TaskCount {
  readonly endedBytes: number;
}

/** Of a slot without tasks. */
export const NOTHING: SlotCount = { unended: 0, bytes: 0, endedBytes: 0 };

/** What two slots have together. */
export function plus(one: SlotCount, other: SlotCount): SlotCount {
  return {
    unended: one.unended + other.unended,
    bytes: one.bytes + other.bytes,
    endedBytes: one.endedBytes + other.endedBytes,
  };
}

/** Milliseconds for which a sum counts that is far from the limits. */
const FRESH = 1000;
/** The part of a limit from which on the slots are asked each time. */
const NEAR = 1 / 2;

/** What the slots were last seen to have. */
export class Sums {
  readonly #seen = new Map<string, { readonly count: SlotCount; readonly at: number }>();

  constructor(private readonly clock: Clock) {}

  /**
   * The sum of some slots.
   * @param room the limits of all slots
   * @param count asks a slot
   */
  async of(
    slots: readonly string[],
    room: Partial<Pick<TaskRoom, 'tasks' | 'bytes'>>,
    count: (slot: string) => Promise<SlotCount>,
  ): Promise<TaskCount> {
    const { tasks = Infinity, bytes = Infinity } = room;
    const seen = this.#sum(slots);
    if (seen && seen.unended < tasks * NEAR && seen.bytes < bytes * NEAR) return seen;
    const counts = await Promise.all(slots.map(async (slot) => ({ slot, count: await count(slot) })));
    const at = this.clock.elapsed();
    for (const { slot, count: found } of counts) this.#seen.set(slot, { count: found, at });
    return counts.map((each) => each.count).reduce(plus, NOTHING);
  }

  /** Asks the slots the next time: room was made in them. */
  forget(): void {
    this.#seen.clear();
  }

  /** Undefined if one of them was seen too long ago. */
  #sum(slots: readonly string[]): SlotCount | undefined {
    let sum = NOTHING;
    for (const slot of slots) {
      const seen = this.#seen.get(slot);
      if (!seen || seen.at + FRESH < this.clock.elapsed()) return undefined;
      sum = plus(sum, seen.count);
    }
    return sum;
  }
}
