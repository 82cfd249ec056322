/** The types of values as JSON: what clients send and receive. */
import type { JsonValue } from '@sigil-mcp/protocol';

/** A value as JSON has it: a date is a text, a Map an object, a Set an array, and methods are left out. */
export type OnWire<T> = unknown extends T
  ? unknown
  : T extends string
    ? `${T}` // The members of an enum are texts.
    : T extends JsonValue | undefined
      ? T
      : T extends Date
        ? string
        : T extends ReadonlyMap<string, infer V>
          ? { readonly [key: string]: OnWire<V> }
          : T extends ReadonlySet<infer V>
            ? readonly OnWire<V>[]
            : T extends readonly unknown[]
              ? { readonly [K in keyof T]: OnWire<T[K]> }
              : T extends object
                ? { readonly [K in keyof T as T[K] extends (...args: never[]) => unknown ? never : K]: OnWire<T[K]> }
                : T;

/** The arguments of an entry that takes none. */
export type NoArguments = Readonly<Record<string, never>>;
