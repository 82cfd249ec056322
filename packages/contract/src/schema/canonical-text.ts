/** JSON as text with sorted keys: equal values have equal texts. */

/** The text of a value. */
export function canonicalText(value: unknown, space?: number): string {
  return JSON.stringify(sorted(value), undefined, space);
}

/** The same value, with the members of all objects in the order of their names. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}
