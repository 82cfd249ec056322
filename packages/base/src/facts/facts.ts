/**
 * The one file that touches `Reflect`. Decorators write facts through it when classes are defined; the scanner and the
 * schema compiler read them at start-up; nothing here runs during a call.
 */
import 'reflect-metadata';
import { withBases, type Class } from '../values/class';

/** Names one kind of fact and carries the type of its values. */
export interface FactKind<T> {
  readonly key: string;
  /** Never set; keeps `T` in the type. */
  readonly shape?: T;
}

/** The facts that decorators wrote for one member of a class, in source order. */
export interface MemberFacts<T> {
  readonly member: string;
  readonly facts: readonly T[];
}

/** The facts that decorators wrote on one class or one prototype: stored together, because each access to `Reflect` is slow. */
interface ClassFacts {
  /** By kind; created with the first fact. */
  own: Map<string, readonly unknown[]> | undefined;
  /** By kind, then by member; on a class, the facts of its static members. */
  members: Map<string, Map<string, readonly unknown[]>> | undefined;
}

/** The facts of the members of a class, of every kind. */
export interface MembersOfClass {
  /** The facts of one kind, by member; undefined if there are no such facts. */
  of<T>(kind: FactKind<T>): ReadonlyMap<string, readonly T[]> | undefined;
}

const FACTS = 'sigil:facts';

/** Declares a kind of fact; `name` is unique within Sigil. */
export function factKind<T>(name: string): FactKind<T> {
  return { key: name };
}

/** Adds a fact to a class. Decorators run bottom-up, so the new fact goes first to keep source order. */
export function addClassFact<T>(kind: FactKind<T>, target: Class, fact: T): void {
  const own = (openWritten(target).own ??= new Map<string, readonly unknown[]>());
  own.set(kind.key, [fact, ...(own.get(kind.key) ?? [])]);
}

/** Adds a fact to a property, a method or (with the member named) one of its parameters. */
export function addMemberFact<T>(kind: FactKind<T>, prototype: object, member: string | symbol, fact: T): void {
  const facts = openMembers(kind, prototype);
  const name = String(member);
  const before = facts.get(name);
  facts.set(name, before ? [fact, ...before] : [fact]);
}

/** For decorators of both classes and methods: without a member the target is the class, otherwise its prototype. */
export function addClassOrMemberFact<T>(
  kind: FactKind<T>,
  target: object,
  member: string | symbol | undefined,
  fact: T,
): void {
  if (member !== undefined) addMemberFact(kind, target, member, fact);
  // A class decorator's target is the class itself.
  else addClassFact(kind, target as Class, fact);
}

/** The facts written on this class itself, without those of its base classes. */
export function ownClassFacts<T>(kind: FactKind<T>, target: Class): readonly T[] {
  return (writtenOn(target)?.own?.get(kind.key) as readonly T[] | undefined) ?? [];
}

/** The facts of a class or, if it has none, of its nearest base class with facts. */
export function classFacts<T>(kind: FactKind<T>, target: Class): readonly T[] {
  for (const each of withBases(target)) {
    const facts = writtenOn(each)?.own?.get(kind.key);
    if (facts) return facts as readonly T[];
  }
  return [];
}

/** The facts of all members, base classes first; a member that is decorated again replaces its inherited facts. */
export function allMemberFacts<T>(kind: FactKind<T>, target: Class): readonly MemberFacts<T>[] {
  return [...factsByMember(kind, target)].map(([member, facts]) => ({ member, facts }));
}

/** The facts of all members by name, for lookups: read once for a class. */
export function factsByMember<T>(kind: FactKind<T>, target: Class): ReadonlyMap<string, readonly T[]> {
  return membersOf(target).of(kind) ?? new Map<string, readonly T[]>();
}

/** The same for several kinds: reads `Reflect` once for all. */
export function membersOf(target: Class): MembersOfClass {
  const known: Map<string, ReadonlyMap<string, readonly unknown[]>>[] = [];
  for (const prototype of prototypesBaseFirst(target)) {
    const members = writtenOn(prototype)?.members;
    if (members) known.push(members);
  }
  return {
    of<T>({ key }: FactKind<T>) {
      let all: ReadonlyMap<string, readonly unknown[]> | undefined;
      for (const members of known) {
        const facts = members.get(key);
        if (facts) all = all ? new Map([...all, ...facts]) : facts;
      }
      return all as ReadonlyMap<string, readonly T[]> | undefined;
    },
  };
}

/** The facts of one member, own or inherited. */
export function memberFacts<T>(kind: FactKind<T>, target: Class, member: string): readonly T[] {
  let prototype = target.prototype as object | null;
  while (prototype && prototype !== Object.prototype) {
    const facts = ownMemberFacts(kind, prototype)?.get(member);
    if (facts) return facts;
    prototype = Object.getPrototypeOf(prototype) as object | null;
  }
  return [];
}

/** Every member of a class, or of its base classes, that has a fact of any kind. */
export function membersWithFacts(target: Class): ReadonlySet<string> {
  const names = new Set<string>();
  for (const prototype of prototypesBaseFirst(target)) {
    for (const facts of writtenOn(prototype)?.members?.values() ?? []) for (const name of facts.keys()) names.add(name);
  }
  return names;
}

/** Copies all facts of this member to a member of another class: our facts, and the metadata of other libraries. */
export function copyMemberFacts(from: Class, to: Class, member: string): void {
  // Every class has an object as its prototype; only the type of functions does not declare it.
  const [source, target] = [from.prototype as object, to.prototype as object];
  for (const prototype of prototypesBaseFirst(from)) {
    for (const [key, all] of writtenOn(prototype)?.members ?? []) {
      const facts = all.get(member);
      if (facts) openMembers({ key }, target).set(member, facts);
    }
  }
  for (const key of Reflect.getMetadataKeys(source, member) as unknown[])
    Reflect.defineMetadata(key, Reflect.getMetadata(key, source, member), target, member);
}

/** The nearest class that has facts of this kind for a member; undefined if no class has. */
export function memberFactsOwner<T>(kind: FactKind<T>, target: Class, member: string): Class | undefined {
  const owner = prototypesBaseFirst(target).findLast((prototype) => ownMemberFacts(kind, prototype)?.has(member));
  // The prototype of a class names the class.
  return owner?.constructor as Class | undefined;
}

/** Removes the facts of one member of this class itself. */
export function removeMemberFacts<T>(kind: FactKind<T>, target: Class, member: string): void {
  writtenOn(target.prototype as object)
    ?.members?.get(kind.key)
    ?.delete(member);
}

/** The facts of the static members of a class: for each kind, those of the nearest class with such facts. */
export function staticsOf(target: Class): MembersOfClass {
  const known = withBases(target).flatMap((each) => writtenOn(each)?.members ?? []);
  return {
    of<T>({ key }: FactKind<T>) {
      const nearest = known.find((members) => members.has(key));
      return nearest?.get(key) as ReadonlyMap<string, readonly T[]> | undefined;
    },
  };
}

function ownMemberFacts<T>({ key }: FactKind<T>, prototype: object): ReadonlyMap<string, readonly T[]> | undefined {
  return writtenOn(prototype)?.members?.get(key) as ReadonlyMap<string, readonly T[]> | undefined;
}

function openMembers({ key }: FactKind<unknown>, prototype: object): Map<string, readonly unknown[]> {
  const members = (openWritten(prototype).members ??= new Map<string, Map<string, readonly unknown[]>>());
  const known = members.get(key);
  if (known) return known;
  const facts = new Map<string, readonly unknown[]>();
  members.set(key, facts);
  return facts;
}

function openWritten(target: object): ClassFacts {
  const known = writtenOn(target);
  if (known) return known;
  const written: ClassFacts = { own: undefined, members: undefined };
  Reflect.defineMetadata(FACTS, written, target);
  return written;
}

function writtenOn(target: object): ClassFacts | undefined {
  return Reflect.getOwnMetadata(FACTS, target) as ClassFacts | undefined;
}

/** The types that the compiler emitted for a constructor's parameters, by position; undefined for an undecorated class. */
export function emittedConstructorTypes(target: Class): readonly unknown[] | undefined {
  return Reflect.getMetadata('design:paramtypes', target) as readonly unknown[] | undefined;
}

/** The class that declares the effective constructor: a subclass without one has that of its base class. */
export function constructorOwner(target: Class): Class {
  let owner: unknown = target;
  while (typeof owner === 'function' && !Reflect.hasOwnMetadata('design:paramtypes', owner))
    owner = Object.getPrototypeOf(owner);
  // Every function above a class in its prototype chain is a class.
  return typeof owner === 'function' ? (owner as unknown as Class) : target;
}

/** The types that the compiler emitted for a method's parameters; undefined if it emits no metadata (esbuild, tsx). */
export function emittedParameterTypes(target: Class, member: string): readonly unknown[] | undefined {
  const prototype = target.prototype as object;
  const own: unknown = Reflect.getOwnMetadata('design:paramtypes', prototype, member);
  return (own ?? Reflect.getMetadata('design:paramtypes', prototype, member)) as readonly unknown[] | undefined;
}

/** The type that the compiler emitted for a property; undefined if it emitted none. */
export function emittedPropertyType(target: Class, member: string): unknown {
  const prototype = target.prototype as object;
  // Nearly every property belongs to the class itself, and searching its base classes takes three times as long.
  return (
    Reflect.getOwnMetadata('design:type', prototype, member) ?? Reflect.getMetadata('design:type', prototype, member)
  );
}

/** The metadata of another library in `Reflect` for a class, or for one of its members; undefined if there is no such metadata. */
export function writtenByOthers(key: string, target: Class, member?: string): unknown {
  const prototype = target.prototype as object;
  return member === undefined ? Reflect.getMetadata(key, prototype) : Reflect.getMetadata(key, prototype, member);
}

/** Writes metadata of another library for a class. */
export function writeForOthers(key: string, target: Class, value: unknown): void {
  Reflect.defineMetadata(key, value, target.prototype as object);
}

function prototypesBaseFirst(target: Class): object[] {
  const chain = [target.prototype as object];
  let prototype = Object.getPrototypeOf(target.prototype) as object | null;
  while (prototype && prototype !== Object.prototype) {
    chain.unshift(prototype);
    prototype = Object.getPrototypeOf(prototype) as object | null;
  }
  return chain;
}
