/** The classes that TypeScript emits for a property, or that `@Type` names, as JSON types. */
import { isClass, type Class } from '@sigil-mcp/base';
import type { Kind } from '../value-plan';

const primitives: ReadonlyMap<unknown, readonly Kind[]> = new Map<unknown, readonly Kind[]>([
  [String, ['string']],
  [Number, ['number']],
  [Boolean, ['boolean']],
  [Date, ['date']],
]);

/** Built-in classes of JavaScript: none can be filled from a JSON object. */
const builtIns: readonly unknown[] = [
  Object, Array, Function, Map, Set, WeakMap, WeakSet, Promise, RegExp, Symbol, BigInt, Error, URL, Buffer, Uint8Array, ArrayBuffer,
]; // prettier-ignore

/** The JSON types of a built-in scalar class. */
export function kindsOfType(type: unknown): readonly Kind[] | undefined {
  return primitives.get(type);
}

/** Those that can hold JSON of some kind; a client can never send the others. */
const holdsJson: readonly unknown[] = [Object, Array, Map, Set, Function];

/** Whether a type is a built-in class without a JSON counterpart; `Function` may also stand for a class that was erased. */
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

/** The type of a listed value, which is a primitive. */
export function kindOf(value: unknown): Kind {
  if (value === null) return 'null';
  return typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'boolean' : 'string';
}

/** Whether a type is a class of the author. The compiler emits any value with the name of a type, even an arrow function. */
export function isOwnClass(type: unknown): type is Class {
  return isClass(type) && !primitives.has(type) && !builtIns.includes(type) && isConstructor(type);
}

/** Checks without constructing an instance: a generator, for example, is not a constructor. */
function isConstructor(type: Class): boolean {
  try {
    Reflect.construct(Object, [], type);
    return true;
  } catch {
    return false;
  }
}
