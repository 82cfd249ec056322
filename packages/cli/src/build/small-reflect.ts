/**
 * What a bundle contains in place of `reflect-metadata`: the same functions, in a fiftieth of the code, for programs that were compiled for
 * them already. It is never loaded by the command line itself.
 *
 * @see https://rbuckton.github.io/reflect-metadata/
 */

type Key = string | symbol;
type Entries = Map<unknown, unknown>;
type Decorator = (target: object, key?: Key, descriptor?: PropertyDescriptor) => unknown;

/** The metadata of an object, by the name of a property, or `undefined` for the object itself. */
// eslint-disable-next-line no-restricted-syntax -- `Reflect` is one for all modules of a program
const stored = new WeakMap<object, Map<Key | undefined, Entries>>();

function ownEntries(target: unknown, key: unknown): Entries | undefined {
  return stored.get(checked(target))?.get(nameOf(key));
}

function checked(target: unknown): object {
  if ((typeof target === 'object' && target !== null) || typeof target === 'function') return target;
  // eslint-disable-next-line no-restricted-syntax -- as the package throws it
  throw new TypeError('Metadata belongs to objects and functions.');
}

function nameOf(key: unknown): Key | undefined {
  return key === undefined || typeof key === 'symbol' ? key : `${key as string}`;
}

/** The metadata of an object and of what it inherits from, the nearest first. */
function* allEntries(target: unknown, key: unknown): Generator<Entries> {
  for (let at: object | null = checked(target); at !== null; at = parentOf(at)) {
    const entries = ownEntries(at, key);
    if (entries) yield entries;
  }
}

/** A class that was compiled to a function of ES5 does not have its base class as its prototype. */
function parentOf(target: object): object | null {
  const parent = Object.getPrototypeOf(target) as object | null;
  if (typeof target !== 'function' || target === Function.prototype || parent !== Function.prototype) return parent;
  const prototype = (target as { prototype?: object }).prototype;
  const base = prototype && (Object.getPrototypeOf(prototype) as object | null);
  if (!base || base === Object.prototype) return parent;
  const { constructor } = base;
  return typeof constructor === 'function' && constructor !== target ? constructor : parent;
}

function define(name: unknown, value: unknown, target: unknown, key?: unknown): void {
  const object = checked(target);
  const properties = stored.get(object) ?? new Map<Key | undefined, Entries>();
  const entries = properties.get(nameOf(key)) ?? (new Map() as Entries);
  stored.set(object, properties.set(nameOf(key), entries.set(name, value)));
}

function find(name: unknown, target: unknown, key?: unknown): Entries | undefined {
  for (const entries of allEntries(target, key)) if (entries.has(name)) return entries;
  return undefined;
}

/** A decorator of a class, or of a property with this name. */
const decoratorOf =
  (name: unknown, value: unknown) =>
  (target: unknown, key?: unknown): void => {
    if (key === undefined || typeof key === 'string' || typeof key === 'symbol') define(name, value, target, key);
    // eslint-disable-next-line no-restricted-syntax -- as the package throws it
    else throw new TypeError('A property has a string or a symbol as its name.');
  };

/** Decorators that follow each other change what the next one gets. */
function decorateAll(decorators: readonly Decorator[], target: unknown, key?: Key, descriptor?: unknown): unknown {
  let decorated = key === undefined ? target : descriptor;
  for (const decorator of [...decorators].reverse()) {
    const next =
      key === undefined
        ? decorator(decorated as object)
        : decorator(target as object, key, decorated as PropertyDescriptor);
    if (next !== undefined && next !== null) decorated = next;
  }
  return decorated;
}

const functions = {
  decorate: decorateAll,
  metadata: decoratorOf,
  defineMetadata: define,
  hasMetadata: (name: unknown, target: unknown, key?: unknown) => find(name, target, key) !== undefined,
  hasOwnMetadata: (name: unknown, target: unknown, key?: unknown) => ownEntries(target, key)?.has(name) ?? false,
  getMetadata: (name: unknown, target: unknown, key?: unknown) => find(name, target, key)?.get(name),
  getOwnMetadata: (name: unknown, target: unknown, key?: unknown) => ownEntries(target, key)?.get(name),
  getMetadataKeys: (target: unknown, key?: unknown) => [
    ...new Set([...allEntries(target, key)].flatMap((entries) => [...entries.keys()])),
  ],
  getOwnMetadataKeys: (target: unknown, key?: unknown) => [...(ownEntries(target, key)?.keys() ?? [])],
  deleteMetadata: (name: unknown, target: unknown, key?: unknown) => ownEntries(target, key)?.delete(name) ?? false,
};

for (const [name, value] of Object.entries(functions))
  if (!(name in Reflect)) Object.defineProperty(Reflect, name, { configurable: true, writable: true, value });
