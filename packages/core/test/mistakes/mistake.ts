/** One mistake of the table: what a newcomer writes, and all that is said of it. */
import { createServer, Feature, Tool, type ServerOptions } from '../../src';
import type { Class } from '@sigil-mcp/base';

/** A row of the table. */
export interface Mistake {
  /** What was done, in a few words. */
  readonly title: string;
  /** Does it. */
  readonly make: () => unknown;
  /** Class and member, what is wrong, how to fix it, and the code. */
  readonly says: string;
}

/** A server of these features, or of other options. */
export function serverOf(options: Partial<ServerOptions>): unknown {
  return createServer({ name: 'library', version: '1.0.0', logger: false, ...options });
}

/** A server whose tool `Library.add` takes a class. */
export function taking(input: Class, options: Partial<ServerOptions> = {}): unknown {
  class Library {
    add(): void {}
  }
  decorateMethod(Library, 'add', Tool('Adds a book', { input }));
  Feature()(Library);
  return serverOf({ features: [Library], ...options });
}

/** Puts a decorator on a method, as the compiler does it. */
export function decorateMethod(
  target: Class,
  name: string,
  decorator: (prototype: never, name: never, descriptor: never) => void,
): void {
  const prototype = target.prototype as object;
  decorator(prototype as never, name as never, (Object.getOwnPropertyDescriptor(prototype, name) ?? {}) as never);
}

/** Says what the compiler would have emitted: what an erased import leaves cannot be written in a test that is compiled file by file. */
export function emits(target: Class, name: string, key: 'design:type' | 'design:paramtypes', value: unknown): void {
  Reflect.defineMetadata(key, value, target.prototype as object, name);
}
