/** Bounds on what validation can cost: the depth of a raw schema, the number of its parts, and the values that are judged at length. */

const mostParts = 20_000;
const deepestPart = 100;

/** Values and members of a value for which all failures are collected; for a larger one only some are reported. */
export const largestThorough = 2000;

/** Whether a schema is larger than the bounds; an object that contains itself always is. */
export function exceedsBounds(schema: object): boolean {
  let parts = 0;
  const exceeds = (part: object, depth: number): boolean => {
    parts += 1;
    if (depth > deepestPart || parts > mostParts) return true;
    // By its keys, because lists of its values would be garbage at every start.
    for (const key in part) {
      const inner: unknown = part[key as keyof typeof part];
      if (typeof inner === 'object' && inner !== null && exceeds(inner, depth + 1)) return true;
    }
    return false;
  };
  return exceeds(schema, 0);
}

/** Whether a value has more levels of objects and arrays than so many; one that contains itself has. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const member of Object.values(value) as unknown[]) if (isDeeperThan(levels - 1, member)) return true;
  return false;
}

/** Whether a value has no more values in it than these. */
export function hasAtMost(count: number, value: unknown): boolean {
  const waiting = [value];
  for (let seen = 0; waiting.length > 0; seen += 1) {
    if (seen + waiting.length > count) return false;
    const each = waiting.pop();
    if (typeof each !== 'object' || each === null) continue;
    const members: unknown[] = Array.isArray(each) ? each : Object.values(each);
    if (seen + waiting.length + members.length > count) return false;
    waiting.push(...members);
  }
  return true;
}
