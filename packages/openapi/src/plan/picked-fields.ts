/** The fields that a rule names: `title`, `user.login`, `*`. */

/** Fields by name; each with the fields within it, of which none means all that are usual. */
export type PickedFields = ReadonlyMap<string, PickedFields>;

/** Reads the names of a rule. */
export function readFields(names: readonly string[]): PickedFields {
  const picked = new Map<string, Map<string, never>>();
  for (const name of names) {
    let level: Map<string, unknown> = picked;
    for (const part of name.split('.')) {
      const inside = level.get(part) ?? new Map<string, unknown>();
      level.set(part, inside);
      // Maps are all that was put into it.
      level = inside as Map<string, unknown>;
    }
  }
  return picked;
}

/** The names as one text, for comparisons. */
export function fieldsKey(picked: PickedFields | undefined): string {
  if (!picked) return '';
  return `(${[...picked].map(([name, inside]) => name + (inside.size > 0 ? fieldsKey(inside) : '')).join(',')})`;
}
