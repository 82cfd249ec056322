/**
 * A part of a large value, chosen by chance. A library finds all that is wrong with a value and makes an object of each: for a million
 * bad rows it needs more memory than a process has. So of a large value a part is asked first.
 */
import { deepestLevel } from '../read/traversal';

/** Names and positions from a value down to a part of it. */
export type Keys = readonly (string | number)[];

/** Members of one array or object that are chosen at most. */
const mostMembers = 200;
/** Of these, those that are taken from the beginning: what is wrong everywhere is told of the first. */
const inFront = 50;
/** Values in a sample, after which one member of each array and object will do. */
const mostValues = 5000;

/** A JSON value with fewer members than the one that it stands for. */
export class Sample {
  readonly value: unknown;
  /** By the copies of which members are missing: the positions that the others have in the whole. */
  readonly #cut = new Map<unknown, readonly number[]>();
  #left = mostValues;

  constructor(whole: unknown) {
    this.value = this.#copy(whole);
  }

  /**
   * Where a part of the sample stands in the whole.
   * @returns undefined for what may be wrong of the sample alone: what was cut, and members that were left out
   */
  placeOf(keys: Keys): Keys | undefined {
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
