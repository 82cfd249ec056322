/**
 * An instance of a class that class-transformer knows -> its visible members, as `instanceToPlain` determines them. Used for values
 * without a declared output, and for log entries. The `toJSON` of an instance is used, but without members that its class hides.
 */
import { isClass, type Class } from '@sigil-mcp/base';
import { exposureOf, type Exposure } from './exposure';
import { composeTransforms, findTransforms, isTransformed, transformerStorage as storage } from './transformer-storage';

/** One visible member, and how it is shown. */
export interface ShownMember {
  readonly name: string;
  readonly wireName: string;
  /** Its value, after its `@Transform`. */
  readonly read: (object: object) => unknown;
  /** The class that `@Type` names: a plain object in its place is shown like an instance of it. */
  readonly typed: ShownClass | undefined;
}

/** The visible members of the instances of one class. */
export class ShownClass {
  readonly #members = new Map<string, ShownMember | undefined>();

  constructor(
    private readonly dto: Class,
    private readonly exposure: Exposure,
  ) {}

  /** The members that the class itself names, and shows. */
  get declared(): readonly string[] {
    return [...this.exposure.exposed].filter((name) => !this.hides(name));
  }

  /** Whether a member is hidden. */
  hides(name: string): boolean {
    return this.#find(name) === undefined;
  }

  /** The members of an instance, or of a plain object in its place. */
  membersOf(value: object): readonly ShownMember[] {
    const { exposed, onlyExposed } = this.exposure;
    const names = new Set([...(onlyExposed ? [] : Object.keys(value)), ...exposed]);
    return [...names].flatMap((name) => this.#find(name) ?? []);
  }

  /** Whether the `toJSON` result of an instance may have a member: by the name of a visible one, in the class or in JSON. */
  allows(json: object, name: string): boolean {
    return !this.hides(name) || this.membersOf(json).some(({ wireName }) => wireName === name);
  }

  #find(name: string): ShownMember | undefined {
    if (!this.#members.has(name)) this.#members.set(name, this.#open(name));
    return this.#members.get(name);
  }

  #open(name: string): ShownMember | undefined {
    // class-transformer ignores these two.
    if (name === '__proto__' || name === 'constructor' || this.exposure.hides(name)) return undefined;
    return {
      name,
      wireName: this.exposure.wireName(name),
      read: reader(this.dto, name, this.exposure),
      typed: typedClass(this.dto, name),
    };
  }
}

function reader(dto: Class, name: string, { exposed }: Exposure): ShownMember['read'] {
  const transform = composeTransforms(findTransforms(dto, name, 'output'), name, 'output');
  return (object) => {
    const held = (object as Readonly<Record<string, unknown>>)[name];
    const made = transform ? transform(held, object) : held;
    // A method that is exposed by name is data; any other function is not.
    return typeof made === 'function' && exposed.has(name) ? (made as () => unknown).call(object) : made;
  };
}

/** The metadata of class-transformer for a class does not change while the class exists, and is the same for all servers. */
// eslint-disable-next-line no-restricted-syntax -- caches what decorators wrote, and is collected with the class
const known = new WeakMap<Class, ShownClass | typeof NOTHING>();
const NOTHING = Symbol('nothing');

/** The visible members of a class's instances; undefined if class-transformer has no metadata for it. */
export function shownClass(dto: Class): ShownClass | undefined {
  let shown = known.get(dto);
  if (shown === undefined) {
    shown = isTransformed(dto) ? new ShownClass(dto, exposureOf(dto, 'output')) : NOTHING;
    known.set(dto, shown);
  }
  return shown === NOTHING ? undefined : shown;
}

/** The visible members of an object, by its prototype: undefined for a plain one. */
export function shownOf(prototype: object | null): ShownClass | undefined {
  if (prototype === Object.prototype || prototype === null) return undefined;
  const { constructor } = prototype;
  return isClass(constructor) ? shownClass(constructor) : undefined;
}

/** The `toJSON` result of an instance, without members that its class hides; another instance in its place is left to its own class. */
export function withoutHidden(json: unknown, shown: ShownClass | undefined): unknown {
  if (!shown || typeof json !== 'object' || json === null || Array.isArray(json)) return json;
  const prototype: unknown = Object.getPrototypeOf(json);
  if (prototype !== Object.prototype && prototype !== null) return json;
  return Object.fromEntries(Object.entries(json).filter(([name]) => shown.allows(json, name)));
}

/** The class that `@Type` names for a member; with a discriminator, the value's own class decides. */
function typedClass(dto: Class, property: string): ShownClass | undefined {
  const typed = storage.findTypeMetadata(dto, property);
  // The library types both as present; they may be missing.
  const { typeFunction, options } = (typed ?? {}) as Partial<NonNullable<typeof typed>>;
  if (!typeFunction || options?.discriminator) return undefined;
  try {
    const type: unknown = typeFunction({ newObject: {}, object: {}, property });
    return isClass(type) ? shownClass(type) : undefined;
  } catch {
    return undefined; // it needs the instance to name a class
  }
}
