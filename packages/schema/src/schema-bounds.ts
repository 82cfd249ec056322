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
