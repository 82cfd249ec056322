/**
 * Signals for waits that end. `AbortSignal.any` is not used: on Node 20 a signal that it made, or a timeout that it was made of, may be
 * collected before it fires, and the wait never ends.
 */

/** Fires after so many milliseconds, or with the first of other signals. */
export function until(milliseconds: number, ...others: readonly AbortSignal[]): AbortSignal {
  const end = new AbortController();
  const fire = (): void => {
    clearTimeout(timer);
    for (const other of others) other.removeEventListener('abort', fire);
    end.abort();
  };
  const timer = setTimeout(fire, milliseconds).unref();
  for (const other of others) {
    if (other.aborted) fire();
    else other.addEventListener('abort', fire, { once: true });
  }
  return end.signal;
}
