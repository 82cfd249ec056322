/**
 * Data that a handler returned -> plain data for JSON. The output is that of `JSON.stringify`, with these differences: a Map becomes an
 * object and a Set an array; values that `JSON.stringify` would turn into `{}` or `null` are refused with their place; members that the
 * class of an instance hides are left out.
 */
import { types } from 'node:util';
import { nameValue } from '@sigil-mcp/base';
import { shownOf, withoutHidden, type ShownClass } from './shown-members';

/** A value that JSON cannot represent, and its place. */
export interface Unwritable {
  /** The path to it, of names and positions; empty for the value itself. */
  readonly path: readonly (string | number)[];
  /** Its description: `a function`. */
  readonly what: string;
  /** Whether it is binary data, which JSON would write byte by byte. */
  readonly isBytes: boolean;
}

/** Plain data, or the first value in it that JSON cannot represent. */
export type DataReading =
  { readonly ok: true; readonly data: unknown } | { readonly ok: false; readonly unwritable: Unwritable };

/** Deeper than any usual data, and less deep than the stack: a value that deep is taken to contain itself. */
const DEEPEST = 1000;

/** Objects without members for JSON, or whose members do not represent them. */
const UNSUPPORTED: readonly (readonly [(value: unknown) => boolean, string])[] = [
  [types.isPromise, 'a promise'],
  [types.isNativeError, 'an Error'],
  [types.isRegExp, 'a RegExp'],
  [types.isWeakMap, 'a WeakMap'],
  [types.isWeakSet, 'a WeakSet'],
];

/** Returned for a refused part, up to the top. */
const REFUSED = Symbol('refused');

interface Walk {
  depth: number;
  what: string;
  isBytes: boolean;
  /** From the bottom to the top. */
  readonly path: (string | number)[];
  /** The type that the surrounding class declares for a value. */
  typed: ShownClass | undefined;
}

/**
 * Writes a value as plain data, without changing the value.
 * @param typed the declared class of objects in it
 * @returns a copy without undefined members; null for undefined
 */
export function writeData(value: unknown, typed?: ShownClass): DataReading {
  const walk: Walk = { depth: 0, what: '', isBytes: false, path: [], typed };
  const data = write(value, '', walk);
  if (data !== REFUSED) return { ok: true, data: data === undefined ? null : data };
  const { what, isBytes } = walk;
  const path = walk.path.reverse();
  const loop = path.length >= DEEPEST ? loopOf(value, path) : undefined;
  return { ok: false, unwritable: loop ?? { path, what, isBytes } };
}

/** The first member on a long path that is one of the objects around it; undefined if no member is. */
function loopOf(value: unknown, path: readonly (string | number)[]): Unwritable | undefined {
  const around = [value];
  for (const [index, key] of path.entries()) {
    const outer = around.at(-1);
    if (typeof outer !== 'object' || outer === null) return undefined;
    const member: unknown = Reflect.get(outer, key);
    if (around.includes(member))
      return {
        path: path.slice(0, index + 1),
        what: 'an object that contains it: a circular reference',
        isBytes: false,
      };
    around.push(member);
  }
  return undefined;
}

/** Undefined if nothing is to be written. */
function write(value: unknown, key: string | number, walk: Walk): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : refuse(walk, String(value));
    case 'object':
      return value === null ? null : writeObject(value, key, walk);
    case 'bigint':
      return refuse(walk, 'a BigInt');
    default:
      return refuse(walk, `a ${typeof value}`);
  }
}

function writeObject(value: object, key: string | number, walk: Walk): unknown {
  if (walk.depth >= DEEPEST) return refuse(walk, 'nested too deeply, or contains itself');
  walk.depth += 1;
  const written = writeKind(value, key, walk);
  walk.depth -= 1;
  return written;
}

function writeKind(value: object, key: string | number, walk: Walk): unknown {
  if (Array.isArray(value)) return writeItems(value, walk);
  const prototype: unknown = Object.getPrototypeOf(value);
  let shown: ShownClass | undefined;
  if (prototype !== Object.prototype && prototype !== null) {
    if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)) return refuse(walk, 'binary data', true);
    if (types.isDate(value) && Number.isNaN(value.getTime())) return refuse(walk, 'an invalid date');
    shown = shownOf(prototype as object);
  }
  const { toJSON } = value as { readonly toJSON?: unknown };
  // JSON does not call `toJSON` on its result again.
  if (typeof toJSON === 'function') return writeJson(withoutHidden(toJSON.call(value, String(key)), shown), walk);
  if (shown) return writeShown(value, shown, walk);
  return prototype === Object.prototype ? writeMembers(value, walk) : writeInstance(value, walk);
}

function writeJson(value: unknown, walk: Walk): unknown {
  if (typeof value !== 'object' || value === null) return write(value, '', walk);
  if (Array.isArray(value)) return writeItems(value, walk);
  return writeInstance(value, walk);
}

function writeInstance(value: object, walk: Walk): unknown {
  if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)) return refuse(walk, 'binary data', true);
  if (types.isMap(value)) return writeMap(value, walk);
  if (types.isSet(value)) return writeItems([...value], walk);
  if (types.isBoxedPrimitive(value)) return write(value.valueOf(), '', walk);
  const what = UNSUPPORTED.find(([is]) => is(value))?.[1];
  if (what !== undefined) return refuse(walk, what);
  if (Symbol.asyncIterator in value) return refuse(walk, 'an async iterable');
  if (Symbol.iterator in value) return refuse(walk, 'an iterable');
  return isOpaque(value) ? refuse(walk, `${nameValue(value)}, which hides what it holds`) : writeMembers(value, walk);
}

/** Whether an instance has content but no own members: a Response of fetch, an object with only getters. */
function isOpaque(value: object): boolean {
  if (Object.keys(value).length > 0) return false;
  if (Symbol.toStringTag in value) return true;
  for (let at = prototypeOf(value); at && prototypeOf(at); at = prototypeOf(at)) {
    if (Object.values(Object.getOwnPropertyDescriptors(at)).some((one) => one.get !== undefined)) return true;
  }
  return false;
}

/** The last prototype is that of all objects, also of objects from another context of the engine. */
function prototypeOf(value: object): object | null {
  return Object.getPrototypeOf(value) as object | null;
}

function writeItems(items: readonly unknown[], walk: Walk): unknown {
  const { length } = items;
  const written = new Array<unknown>(length);
  for (let index = 0; index < length; index += 1) {
    const item = write(items[index], index, walk);
    if (item === REFUSED) return within(index, walk);
    written[index] = item === undefined ? null : item;
  }
  return written;
}

function writeMembers(value: object, walk: Walk): unknown {
  if (walk.typed) return writeShown(value, walk.typed, walk);
  const written: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const member = write((value as Readonly<Record<string, unknown>>)[name], name, walk);
    if (member === REFUSED) return within(name, walk);
    if (member !== undefined) setMember(written, name, member);
  }
  return written;
}

/** An instance whose class may hide members, or an object in a place where such an instance is declared. */
function writeShown(value: object, shown: ShownClass, walk: Walk): unknown {
  const written: Record<string, unknown> = {};
  const { typed: declared } = walk;
  for (const { name, wireName, read, typed } of shown.membersOf(value)) {
    if (declared?.hides(name)) continue;
    walk.typed = typed;
    const member = write(read(value), name, walk);
    if (member === REFUSED) return within(name, walk);
    if (member !== undefined) setMember(written, wireName, member);
  }
  walk.typed = declared;
  return written;
}

/** Describes a Map that cannot be an object in JSON, because of its keys: `a Map with keys that are no text`; undefined for any other. */
export function findWrongKey(map: ReadonlyMap<unknown, unknown>): string | undefined {
  for (const key of map.keys()) {
    const wrong = wrongKey(map, key);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function wrongKey(map: ReadonlyMap<unknown, unknown>, key: unknown): string | undefined {
  if (typeof key === 'string') return undefined;
  if (typeof key !== 'number') return 'a Map with keys that are no text';
  return map.has(String(key)) ? `a Map with the key ${key} as a number and as text` : undefined;
}

function writeMap(map: ReadonlyMap<unknown, unknown>, walk: Walk): unknown {
  const written: Record<string, unknown> = {};
  for (const [key, value] of map) {
    const wrong = wrongKey(map, key);
    if (wrong !== undefined) return refuse(walk, wrong);
    const name = typeof key === 'number' ? key : String(key);
    const member = write(value, name, walk);
    if (member === REFUSED) return within(name, walk);
    if (member !== undefined) setMember(written, String(name), member);
  }
  return written;
}

/** An assignment to this one name would change the prototype. */
function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

function refuse(walk: Walk, what: string, isBytes = false): typeof REFUSED {
  walk.what = what;
  walk.isBytes = isBytes;
  return REFUSED;
}

function within(key: string | number, walk: Walk): typeof REFUSED {
  walk.path.push(key);
  return REFUSED;
}
