/**
 * A list with an index of its items: `@ArrayUnique` of class-validator searches the list for each item, which would be quadratic for a
 * list of a hundred thousand.
 */
export class QuickList<T> extends Array<T> {
  #first: Map<unknown, number> | undefined;

  /** As of any list, by identity; what was found once is not looked for again, so that the list must not change. */
  override indexOf(item: T): number {
    this.#first ??= new Map([...this.entries()].reverse().map(([index, each]) => [each, index]));
    // NaN equals nothing.
    return Number.isNaN(item) ? -1 : (this.#first.get(item) ?? -1);
  }
}
