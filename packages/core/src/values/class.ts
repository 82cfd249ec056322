/** What TypeScript has no short word for: any class. */

/** Any class, whatever its constructor takes. */
export type Class<T = object> = abstract new (...args: never[]) => T;
