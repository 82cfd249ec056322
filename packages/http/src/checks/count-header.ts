/** Counts headers that may appear only once. */

/**
 * The number of times that a header was sent.
 * @param rawHeaders from Node: names and values in turn
 * @param name in lower case
 */
export function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const raw = rawHeaders[index];
    if (raw?.length === name.length && raw.toLowerCase() === name) count += 1;
  }
  return count;
}
