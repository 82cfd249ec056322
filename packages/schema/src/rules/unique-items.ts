/** Equality of JSON Schema: two values are equal if their JSON is, in any order of keys. Examines each value once. */

/** Whether all items differ. Throws a RangeError if an item is nested too deeply to be compared. */
export function hasUniqueItems(items: readonly unknown[]): boolean {
  return findTwins(items) === undefined;
}

/** The positions of the first item that occurs twice. Throws a RangeError if an item is nested too deeply to be compared. */
export function findTwins(items: readonly unknown[]): readonly [number, number] | undefined {
  const seen = new Map<unknown, number>();
  for (let index = 0; index < items.length; index += 1) {
    const item = identity(items[index]);
    const before = seen.get(item);
    if (before !== undefined) return [before, index];
    seen.set(item, index);
  }
  return undefined;
}

/** JSON values, of which one is found without being compared with all. */
export class JsonSet {
  readonly #plain = new Set<unknown>();
  readonly #objects = new Set<string>();

  constructor(values: readonly unknown[]) {
    for (const value of values) {
      if (typeof value === 'object' && value !== null) this.#objects.add(canonical(value));
      else this.#plain.add(value);
    }
  }

  /** Throws a RangeError for a value that is nested too deeply to be compared. */
  has(value: unknown): boolean {
    if (typeof value !== 'object' || value === null) return this.#plain.has(value);
    return this.#objects.size > 0 && this.#objects.has(canonical(value));
  }
}

/** Equal for equal JSON values only: primitives stand for themselves, the rest for a text that no string equals. */
function identity(item: unknown): unknown {
  if (typeof item === 'object' && item !== null) return canonical(item);
  return typeof item === 'string' ? JSON.stringify(item) : item;
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value === 0 ? 0 : value) ?? 'null';
  const names = Object.keys(value);
  if (names.length > 1) names.sort();
  const members = names.map((name) => `${JSON.stringify(name)}:${canonical((value as Record<string, unknown>)[name])}`);
  return `{${members.join(',')}}`;
}
