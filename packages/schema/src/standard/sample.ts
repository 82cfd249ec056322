/**
 * A random part of a large value. A library finds all problems of a value and makes an object for each: for a million bad rows it needs
 * more memory than a process has. So a part of a large value is validated first.
 */
import { deepestLevel } from '../read/traversal';

/** The path from a value to a part of it. */
export type MemberPath = readonly (string | number)[];

/** The most members that are chosen from one array or object. */
const mostMembers = 200;
/** How many of these come from the beginning: a problem of all members is reported for the first. */
const inFront = 50;
/** Values in a sample, after which only one member of each array and object is chosen. */
const mostValues = 5000;

/** A JSON value with fewer members than the original. */
export class Sample {
  readonly value: unknown;
  /** Copies with missing members -> the positions that the chosen members have in the original. */
  readonly #cut = new Map<unknown, readonly number[]>();
  #left = mostValues;

  constructor(whole: unknown) {
    this.value = this.#copy(whole);
  }

  /**
   * The place of a part of the sample in the original.
   * @returns undefined if the problem may exist in the sample only: containers that were cut, and members that were left out
   */
  placeOf(keys: MemberPath): MemberPath | undefined {
    let at = this.value;
    const place: (string | number)[] = [];
    for (const key of keys) {
      const positions = this.#cut.get(at);
      const isThere = typeof at === 'object' && at !== null && Object.hasOwn(at, key);
      if (positions && !isThere) return undefined;
      place.push(Array.isArray(at) && positions ? (positions[Number(key)] ?? key) : key);
      at = isThere ? (at as Readonly<Record<string | number, unknown>>)[key] : undefined;
    }
    return this.#cut.has(at) ? undefined : place;
  }

  #copy(value: unknown, level = 0): unknown {
    this.#left -= 1;
    if (typeof value !== 'object' || value === null || level > deepestLevel) return value;
    const names = Array.isArray(value) ? undefined : Object.keys(value);
    const count = names?.length ?? (value as readonly unknown[]).length;
    const chosen = this.#choose(count);
    const members = chosen.map((index): [string | number, unknown] => {
      const name = names?.[index] ?? index;
      return [name, this.#copy((value as Readonly<Record<string | number, unknown>>)[name], level + 1)];
    });
    const made = names ? Object.fromEntries(members) : members.map(([, item]) => item);
    if (chosen.length < count) this.#cut.set(made, chosen);
    return made;
  }

  /** Positions in their order. */
  #choose(count: number): readonly number[] {
    const most = this.#left > 0 ? mostMembers : 1;
    if (count <= most) return Array.from({ length: count }, (_, index) => index);
    const chosen = new Set(Array.from({ length: Math.min(most, inFront) }, (_, index) => index));
    while (chosen.size < most) chosen.add(Math.floor(Math.random() * count));
    return [...chosen].sort((one, other) => one - other);
  }
}
