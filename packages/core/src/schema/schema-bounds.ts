/** A bound on what the validation of a raw schema can cost: its depth and the number of its parts. */

const mostParts = 20_000;
const deepestPart = 100;

/** Whether a schema is larger than the bounds; an object that contains itself always is. */
export function exceedsBounds(schema: object): boolean {
  let parts = 0;
  const exceeds = (part: unknown, depth: number): boolean => {
    if (typeof part !== 'object' || part === null) return false;
    parts += 1;
    return depth > deepestPart || parts > mostParts || Object.values(part).some((inner) => exceeds(inner, depth + 1));
  };
  return exceeds(schema, 0);
}
