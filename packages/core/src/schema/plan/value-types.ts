/** The classes that TypeScript emits for a property, or that `@Type` names, as types of JSON. */
import { isClass, type Class } from '../../values/class';
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

/** Those that hold JSON of some kind: the others are never what a client can send. */
const holdsJson: readonly unknown[] = [Object, Array, Map, Set, Function];

/** Whether a type is a class of JavaScript itself that JSON has nothing like; `Function` stands for a class that was erased, too. */
export function isWithoutJson(type: unknown): boolean {
  return builtIns.includes(type) && !holdsJson.includes(type);
}

const words: Readonly<Record<Kind, string>> = {
  string: 'a string', number: 'a number', boolean: 'a boolean', object: 'an object', array: 'an array', null: 'null', date: 'a date',
}; // prettier-ignore

/** `a string or a number`. */
export function kindWords(kinds: Iterable<Kind>): string {
  return [...kinds].map((kind) => words[kind]).join(' or ');
}

/** The type of a value of a list, which is a primitive. */
export function kindOf(value: unknown): Kind {
  if (value === null) return 'null';
  return typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'boolean' : 'string';
}

/** Whether it is a class of the author's. The compiler names whatever has the name of a type: an arrow function beside it, too. */
export function isOwnClass(type: unknown): type is Class {
  return isClass(type) && !primitives.has(type) && !builtIns.includes(type) && isConstructor(type);
}

/** Asks without constructing anything: of a generator and the like there are no instances. */
function isConstructor(type: Class): boolean {
  try {
    Reflect.construct(Object, [], type);
    return true;
  } catch {
    return false;
  }
}
