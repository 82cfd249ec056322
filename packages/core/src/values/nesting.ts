/** How deep a value is nested. */

/** Whether a value has more levels of objects and arrays than so many; one that contains itself has. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const member of Object.values(value) as unknown[]) if (isDeeperThan(levels - 1, member)) return true;
  return false;
}
