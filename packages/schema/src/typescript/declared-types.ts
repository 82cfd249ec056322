/** The types that are declared by name, because a schema refers to them, some of them to themselves. */
import { typeName } from './type-text';

/** Collects declared types. */
export class DeclaredTypes {
  readonly #names = new Map<unknown, string>();
  /** Name -> type; undefined while it is being written. */
  readonly #types = new Map<string, string | undefined>();

  constructor(taken: readonly string[]) {
    for (const name of taken) this.#types.set(name, undefined);
  }

  /** The name of the type of a schema, which is written when it is first met. The same type is declared once. */
  nameFor(schema: unknown, wanted: string, write: () => string): string {
    const known = this.#names.get(schema);
    if (known !== undefined) return known;
    const name = this.#free(typeName(wanted));
    this.#names.set(schema, name);
    this.#types.set(name, undefined);
    const type = write();
    const same = new RegExp(`\\b${name}\\b`).test(type) ? undefined : this.#sameAs(type, typeName(wanted));
    if (same === undefined) this.#types.set(name, type);
    else this.#types.delete(name);
    this.#names.set(schema, same ?? name);
    return same ?? name;
  }

  /** A type that was declared under this name, or under this name with a number, and is the same. */
  #sameAs(type: string, wanted: string): string | undefined {
    const found = [...this.#types].find(
      ([name, known]) => known === type && name.replace(/(?<!\d)\d+$/, '') === wanted,
    );
    return found?.[0];
  }

  /** The declarations, in the order in which they were met. */
  declarations(): string[] {
    return [...this.#types].flatMap(([name, type]) => (type === undefined ? [] : [`export type ${name} = ${type};`]));
  }

  #free(name: string): string {
    let free = name;
    for (let count = 2; this.#types.has(free); count += 1) free = `${name}${count}`;
    return free;
  }
}
