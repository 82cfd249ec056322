/** Where the tasks of a server are in Redis: the keys, and the slots of a cluster to which they are spread by their holders. */
import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '@sigil-mcp/core';
import type { TaskCount, TaskRoom } from '../task-store';

/** Slots of a cluster to which the tasks of a server are spread. */
const SLOTS = 16;
/** The digits of base64url. */
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The slots of one server, each as the beginning of its keys. */
export class Slots {
  readonly all: readonly string[];

  /** @param prefix of all servers; @param server the name of the server */
  constructor(prefix: string, server: string, isCluster: boolean) {
    const name = encodeURIComponent(Buffer.from(server).toString());
    const ends = isCluster ? Array.from({ length: SLOTS }, (_, slot) => `:${slot}`) : [''];
    // The part in braces decides the slot in a cluster.
    this.all = ends.map((end) => `${prefix}:{${prefix}:${name}${end}}`);
  }

  /** All tasks of a holder are in one slot, where they are counted; the id says in which. */
  newId(holder: string): string {
    const bytes = randomBytes(16);
    const [digit = 0] = createHash('sha256').update(holder).digest();
    if (this.all.length > 1) bytes[0] = ((digit % SLOTS) << 4) | ((bytes[0] ?? 0) & 15);
    return bytes.toString('base64url');
  }

  /** The slot of a task. The first digit of an id has six bits, of which four are the number of the slot. */
  of(id: string): string {
    const digit = DIGITS.indexOf(id.charAt(0));
    return this.all[this.all.length === 1 ? 0 : Math.max(digit, 0) >> 2] ?? '';
  }
}

/** The channel of a slot. */
export function channelOf(slot: string): string {
  return `${slot}:changes`;
}

/** The key of a task. */
export function taskKey(slot: string, id: string): string {
  return `${slot}:task:${id}`;
}

/** The key of the times of tasks. */
export function timesKey(slot: string): string {
  return `${slot}:due`;
}

/** The key of what is counted. */
export function countsKey(slot: string): string {
  return `${slot}:counts`;
}

/** The key of the tasks that have ended. */
export function endedKey(slot: string): string {
  return `${slot}:ended`;
}

// What all slots of a cluster have together: each slot counts its own.

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
