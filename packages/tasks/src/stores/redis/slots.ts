/** Where the tasks of a server are in Redis: the keys, and the slots of a cluster to which they are spread by their holders. */
import { createHash, randomBytes } from 'node:crypto';

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
