/** Values that are costly to make, and made when they are first needed. */

/** A function that calls another once, and returns its result each time. What it throws is not kept. */
export function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
