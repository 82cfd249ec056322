/** How deeply a value is nested, and how many parts it has. */

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
