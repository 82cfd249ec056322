/** Steps that are synchronous stay synchronous: a promise costs a turn of the microtask queue in each of them. */

/** A value now, or later. */
export type MaybePromise<T> = T | Promise<T>;

/** Whether a value has to be waited for: anything with a `then` that can be called. */
export function isPromise<T>(value: MaybePromise<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/**
 * Does not wait for something.
 * @param onFailure gets what it rejects with; left out where whoever made it lets it reject with nothing that matters
 */
export function unawaited(value: MaybePromise<unknown>, onFailure: (error: unknown) => void = () => undefined): void {
  if (isPromise(value)) value.catch(onFailure);
}

/** Calls `next` with a value: at once where it is there, else when it resolves. Returns, or resolves to, what that returns. */
export function andThen<T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return isPromise(value) ? value.then(next) : next(value);
}
