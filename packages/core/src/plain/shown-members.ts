/**
 * An instance of a class that class-transformer knows -> the members that may be shown of it, as `instanceToPlain` has them. Asked of
 * whatever travels without a declared output, and of what is logged. An instance that says itself how it is written is heard, without what
 * its class keeps back.
 */
import { isClass, type Class } from '../values/class';
import { exposureOf, type Exposure } from './exposure';
import { composeTransforms, findTransforms, isTransformed, transformerStorage as storage } from './transformer-storage';

/** One member, and what it is shown as. */
export interface ShownMember {
  readonly name: string;
  readonly wireName: string;
  /** Its value, as its `@Transform` shows it. */
  readonly read: (object: object) => unknown;
  /** What `@Type` names: a plain object in its place is shown as an instance of it would be. */
  readonly typed: ShownClass | undefined;
}

/** What is shown of the instances of one class. */
export class ShownClass {
  readonly #members = new Map<string, ShownMember | undefined>();

  constructor(
    private readonly dto: Class,
    private readonly exposure: Exposure,
  ) {}

  /** Whether a member is kept back. */
  hides(name: string): boolean {
    return this.#find(name) === undefined;
  }

  /** The members of an instance, or of a plain object in its place. */
  membersOf(value: object): readonly ShownMember[] {
    const { exposed, onlyExposed } = this.exposure;
    const names = new Set([...(onlyExposed ? [] : Object.keys(value)), ...exposed]);
    return [...names].flatMap((name) => this.#find(name) ?? []);
  }

  /** Whether an object that an instance made of itself may have a member: by the name of one that is shown, inside or outside. */
  allows(json: object, name: string): boolean {
    return !this.hides(name) || this.membersOf(json).some(({ wireName }) => wireName === name);
  }

  #find(name: string): ShownMember | undefined {
    if (!this.#members.has(name)) this.#members.set(name, this.#open(name));
    return this.#members.get(name);
  }

  #open(name: string): ShownMember | undefined {
    // class-transformer passes over these two.
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
    // A method is data where it is exposed by name; any other function is none.
    return typeof made === 'function' && exposed.has(name) ? (made as () => unknown).call(object) : made;
  };
}

/** What class-transformer knows of a class stays the same for as long as the class is there, for all servers. */
// eslint-disable-next-line no-restricted-syntax -- remembers what decorators wrote, and goes with the class
const known = new WeakMap<Class, ShownClass | typeof NOTHING>();
const NOTHING = Symbol('nothing');

/** What is shown of the instances of a class; undefined where class-transformer knows nothing of it. */
export function shownClass(dto: Class): ShownClass | undefined {
  let shown = known.get(dto);
  if (shown === undefined) {
    shown = isTransformed(dto) ? new ShownClass(dto, exposureOf(dto, 'output')) : NOTHING;
    known.set(dto, shown);
  }
  return shown === NOTHING ? undefined : shown;
}

/** What is shown of an object, by its prototype: undefined for a plain one. */
export function shownOf(prototype: object | null): ShownClass | undefined {
  if (prototype === Object.prototype || prototype === null) return undefined;
  const { constructor } = prototype;
  return isClass(constructor) ? shownClass(constructor) : undefined;
}

/** What `toJSON` of an instance made, without what its class keeps back; an instance is left to its own class. */
export function withoutHidden(json: unknown, shown: ShownClass | undefined): unknown {
  if (!shown || typeof json !== 'object' || json === null || Array.isArray(json)) return json;
  const prototype: unknown = Object.getPrototypeOf(json);
  if (prototype !== Object.prototype && prototype !== null) return json;
  return Object.fromEntries(Object.entries(json).filter(([name]) => shown.allows(json, name)));
}

/** The class that `@Type` names for a member; one that a discriminator chooses shows itself. */
function typedClass(dto: Class, property: string): ShownClass | undefined {
  const typed = storage.findTypeMetadata(dto, property);
  // It types both as there; they may be missing.
  const { typeFunction, options } = (typed ?? {}) as Partial<NonNullable<typeof typed>>;
  if (!typeFunction || options?.discriminator) return undefined;
  try {
    const type: unknown = typeFunction({ newObject: {}, object: {}, property });
    return isClass(type) ? shownClass(type) : undefined;
  } catch {
    return undefined; // it names no class without the instance
  }
}
