/** Keeps synchronous steps synchronous: a promise in each of them would cost a turn of the microtask queue. */

/** A value now, or later. */
export type MaybePromise<T> = T | Promise<T>;

/** Whether a value must be awaited: anything with a `then` method. */
export function isPromise<T>(value: MaybePromise<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/**
 * Does not wait for a value.
 * @param onFailure receives the error if it rejects; left out if its maker has handled all errors that matter
 */
export function unawaited(value: MaybePromise<unknown>, onFailure: (error: unknown) => void = () => undefined): void {
  if (isPromise(value)) value.catch(onFailure);
}

/** Calls `next` with a value: at once if it is no promise, otherwise when it resolves. Returns, or resolves to, the result of `next`. */
export function andThen<T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return isPromise(value) ? value.then(next) : next(value);
}
