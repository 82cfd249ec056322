/** The classes that TypeScript emits for a property, or that `@Type` names, as types of JSON. */
import type { Class } from '../../values/class';
import type { Kind } from '../value-plan';

const primitives: ReadonlyMap<unknown, readonly Kind[]> = new Map<unknown, readonly Kind[]>([
  [String, ['string']],
  [Number, ['number']],
  [Boolean, ['boolean']],
  [Date, ['date']],
]);

/** Classes of JavaScript itself: none can be filled from a JSON object. */
const builtIns: readonly unknown[] = [
  Object, Array, Function, Map, Set, WeakMap, WeakSet, Promise, RegExp, Symbol, BigInt, Error, URL, Buffer, Uint8Array, ArrayBuffer,
]; // prettier-ignore

/** The JSON types of a built-in scalar class. */
export function kindsOfType(type: unknown): readonly Kind[] | undefined {
  return primitives.get(type);
}

/** Whether it is a class of the author's. */
export function isOwnClass(type: unknown): type is Class {
  return typeof type === 'function' && !primitives.has(type) && !builtIns.includes(type);
}
