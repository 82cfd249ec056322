/** Results that never change, such as a page of a list: their text is written once. */

/** Marks a result. Not enumerable, so that the copy which an interceptor makes of a result does not pass for it. */
const KEPT = Symbol('sigil.kept');

/** Says that a result stays as it is. What it holds directly, and the lists within, cannot be changed from now on. */
export function keepResult<R extends object>(result: R): R {
  for (const value of Object.values(result) as unknown[]) if (Array.isArray(value)) Object.freeze(value);
  Object.defineProperty(result, KEPT, { value: true });
  return Object.freeze(result);
}

/** Whether `keepResult` said so of this very object. One that is just frozen may hold what changes. */
export function isKeptResult(result: object): boolean {
  return KEPT in result;
}
