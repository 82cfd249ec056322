/** Waiting with an end. */

/**
 * Waits for a promise, but not longer than a number of milliseconds.
 * @returns whether it settled in time, be it resolved or rejected; never rejects itself
 */
export async function settleWithin(milliseconds: number, promise: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), milliseconds)));
  const settled = promise.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([settled, late]);
  } finally {
    clearTimeout(timer);
  }
}
