/** `uniqueItems` as JSON Schema means it: no two items are equal as JSON, whatever the order of their keys. */

/** Whether all items differ. Throws a RangeError where an item is nested too deeply to be compared. */
export function hasUniqueItems(items: readonly unknown[]): boolean {
  return new Set(items.map(identity)).size === items.length;
}

/** Equal for equal JSON values only: primitives stand for themselves, the rest for a text that no string equals. */
function identity(item: unknown): unknown {
  if (typeof item === 'object' && item !== null) return canonical(item);
  return typeof item === 'string' ? JSON.stringify(item) : item;
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value === 0 ? 0 : value) ?? 'null';
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`);
  return `{${members.join(',')}}`;
}
