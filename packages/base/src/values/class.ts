/** The type of any class, and the classes that are built into the language. */

/** Any class, with any constructor parameters. */
export type Class<T = object> = abstract new (...args: never[]) => T;

/** Whether a value is a function with a prototype, as a class is and an arrow function is not. */
export function isClass(value: unknown): value is Class {
  if (typeof value !== 'function') return false;
  // TypeScript only knows of functions that they may have members.
  const { prototype } = value as { readonly prototype?: unknown };
  return typeof prototype === 'object' && prototype !== null;
}

/** Built-in classes that may be used as a type, and that declare no properties. */
const BUILT_INS: ReadonlySet<unknown> = new Set([
  ...[String, Number, Boolean, BigInt, Symbol],
  ...[Object, Function, Array, Map, Set, Promise],
  ...[Date, RegExp, Error, Buffer, ArrayBuffer, Uint8Array],
]);

/** Whether a value is a built-in class. */
export function isBuiltIn(value: unknown): boolean {
  return BUILT_INS.has(value);
}

/** A class and its base classes, the nearest first. */
export function withBases(target: Class): Class[] {
  const chain = [target];
  for (let next: unknown = Object.getPrototypeOf(target); typeof next === 'function' && next !== Function.prototype;) {
    // Everything above a class that is a function is a class, but for the prototype of all functions.
    chain.push(next as unknown as Class);
    next = Object.getPrototypeOf(next);
  }
  return chain;
}
