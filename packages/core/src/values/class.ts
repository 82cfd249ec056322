/** What TypeScript has no short word for: any class. */

/** Any class, whatever its constructor takes. */
export type Class<T = object> = abstract new (...args: never[]) => T;

/** Whether a value is a function with a prototype, as a class is and an arrow function is not. */
export function isClass(value: unknown): value is Class {
  // Also of functions it is only known that they may have members.
  return typeof value === 'function' && typeof (value as { readonly prototype?: unknown }).prototype === 'object';
}
