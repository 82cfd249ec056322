/**
 * Makes a class from the properties of others. All metadata of a property is copied to the new class at once: ours, and that of
 * class-validator, class-transformer and the compiler. From then on it is a class like any other.
 */
import { isClass, shorten, withBases, type Class } from '@sigil-mcp/base';
import {
  addClassFact,
  copyMemberFacts,
  emittedPropertyType,
  factsByMember,
  membersWithFacts,
  removeMemberFacts,
} from '@sigil-mcp/base/facts';
import { mappings, nullables } from '../dto-facts';
import { schemaError } from '../errors/errors';
import { copyApiProperty } from '../rules/api-properties';
import {
  copyRules,
  copyTransformerRules,
  findOverridden,
  transformedNames,
  validatedNames,
  type Part,
} from '../rules/copy-rules';

/** The properties of one source class, and how they are mapped. */
interface Mapped {
  readonly source: Class;
  /** Whether a property is copied; all are if left out. */
  readonly keeps?: (name: string) => boolean;
  /** The names that `keeps` selects or excludes: each must exist. */
  readonly named?: readonly string[];
  /** All properties become optional, without defaults. */
  readonly partial?: boolean;
}

/**
 * Makes the class.
 * @param call the call that makes it, for messages: `PartialType(Book)`
 */
function mapClass(call: string, mapped: readonly Mapped[]): Class {
  const helper = call.slice(0, call.indexOf('('));
  for (const { source } of mapped) if (!isClass(source)) throw schemaError('SIGIL_MAPPED_NO_CLASS', { helper });
  const parts = mapped.map(openPart);
  const made = createClass(parts);
  Object.defineProperty(made, 'name', { value: call });
  for (const { source, known } of parts) for (const name of known) copyMember(source, made, name);
  for (const name of factsByMember(nullables, made).keys()) {
    const having = parts.filter(({ known }) => known.has(name));
    if (!having.every(({ source }) => factsByMember(nullables, source).has(name)))
      removeMemberFacts(nullables, made, name);
  }
  copyRules(
    parts.map(({ source, known, partial }) => ({ source, names: known, optional: partial }) satisfies Part),
    made,
  );
  addClassFact(mappings, made, { unknown: parts.flatMap(({ unknown }) => unknown) });
  return made;
}

/** The copied properties of a class. */
interface OpenPart {
  readonly source: Class;
  readonly partial: boolean;
  readonly keeps: (name: string) => boolean;
  /** Those with metadata. */
  readonly known: ReadonlySet<string>;
  /** Those that only the constructor defines: the new class has them, too, so that they are reported. */
  readonly undecorated: readonly string[];
  readonly unknown: readonly string[];
}

function openPart({ source, keeps = () => true, named = [], partial = false }: Mapped): OpenPart {
  const constructed = constructedNames(source);
  const decorated = [...validatedNames(source), ...transformedNames(source), ...membersWithFacts(source)];
  const all = new Set([...decorated, ...constructed.filter((name) => emittedPropertyType(source, name) !== undefined)]);
  return {
    source,
    partial,
    keeps,
    known: new Set([...all].filter(keeps)),
    undecorated: constructed.filter((name) => keeps(name) && !all.has(name)),
    unknown: named.filter((name) => !all.has(name) && !constructed.includes(name)),
  };
}

/** The members of a new instance; empty if the class cannot be constructed, which is reported when it is used. */
function constructedNames(source: Class): string[] {
  try {
    return Object.entries(construct(source)).flatMap(([name, value]) => (typeof value === 'function' ? [] : [name]));
  } catch {
    return [];
  }
}

function construct(source: Class): object {
  // A DTO is constructed without arguments; an abstract class as a DTO is a mistake of its author.
  return new (source as unknown as new () => object)();
}

function createClass(parts: readonly OpenPart[]): Class {
  return class {
    constructor() {
      // The members are the ones that the decorators of this class declare.
      const made = this as Record<string, unknown>;
      for (const { source, partial, keeps, undecorated } of parts) {
        if (partial) for (const name of undecorated) made[name] = undefined;
        else
          for (const [name, value] of Object.entries(construct(source)))
            // If several classes have a property, the last default applies; a field without a value is not a default.
            if (keeps(name) && typeof value !== 'function' && (value !== undefined || !(name in made)))
              made[name] = value;
      }
    }
  };
}

function copyMember(source: Class, made: Class, name: string): void {
  copyMemberFacts(source, made, name);
  for (const kind of findOverridden(source, name)) removeMemberFacts(kind, made, name);
  copyTransformerRules(source, made, name);
  copyApiProperty(source, made, name);
  for (const each of withBases(source)) {
    const accessor = Object.getOwnPropertyDescriptor(each.prototype as object, name);
    // A read-only accessor stays read-only. A setter may use a private field, which the new class does not have.
    if (accessor?.get && !accessor.set) Object.defineProperty(made.prototype as object, name, accessor);
    if (accessor) return;
  }
}

// Classes made of other classes: with some of their properties, without some, with all of them optional, or of several.

/** The data of all the classes of a list. */
export type Intersected<Sources extends readonly Class[]> = Sources extends readonly [
  Class<infer First>,
  ...infer Rest extends readonly Class[],
]
  ? Rest extends readonly []
    ? DataOf<First>
    : DataOf<First> & Intersected<Rest>
  : unknown;

/** The data of a class: its properties, without its methods. */
export type DataOf<T> = { [Name in keyof T as T[Name] extends (...args: never[]) => unknown ? never : Name]: T[Name] };

/** A class that was made of others; one extends it, or names it as input or output. */
export type MappedClass<T> = new () => T;

/**
 * A class with the properties of another one, each of which may be left out, and none of which has a default: an instance has
 * what was sent. All that is known of a property is kept.
 * @param source a DTO class
 * @returns a class to extend, or to give as an input
 * @throws SigilError where an import cycle has left the class undefined
 * @example
 * class BookChanges extends PartialType(Book) {}
 */
export function PartialType<T extends object>(source: Class<T>): MappedClass<Partial<DataOf<T>>> {
  // Only the decorators know which properties an instance has.
  return mapClass(nameCall('PartialType', [source]), [{ source, partial: true }]) as MappedClass<Partial<DataOf<T>>>;
}

/** `PickType(Book, ['title', 'pages'])`. */
function nameCall(helper: string, sources: readonly Class[], names?: readonly string[]): string {
  // An import cycle leaves a class undefined, despite its type.
  const classes = sources.map((source) => (source as Class | undefined)?.name ?? 'undefined');
  const listed = names?.map((name) => `'${name}'`).join(', ');
  return `${helper}(${[...classes, ...(listed === undefined ? [] : [`[${shorten(listed, 60)}]`])].join(', ')})`;
}

/**
 * A class with the properties of another one without some. All that is known of a property is kept, its default, too.
 * @param source a DTO class
 * @param named the properties, by their names in the class
 * @returns a class to extend, or to give as an input or output
 * @throws SigilError where an import cycle has left the class undefined
 * @example
 * class NewBook extends OmitType(Book, ['id']) {}
 */
export function OmitType<T extends object, const Name extends keyof DataOf<T> & string>(
  source: Class<T>,
  named: readonly Name[],
): MappedClass<Omit<DataOf<T>, Name>> {
  const names: ReadonlySet<string> = new Set(named);
  const keeps = (name: string): boolean => !names.has(name);
  // Only the decorators know which properties an instance has.
  return mapClass(nameCall('OmitType', [source], named), [{ source, keeps, named }]) as MappedClass<
    Omit<DataOf<T>, Name>
  >;
}

/**
 * A class with some properties of another one. All that is known of a property is kept, its default, too.
 * @param source a DTO class
 * @param named the properties, by their names in the class
 * @returns a class to extend, or to give as an input or output
 * @throws SigilError where an import cycle has left the class undefined
 * @example
 * class BookKey extends PickType(Book, ['isbn']) {}
 */
export function PickType<T extends object, const Name extends keyof DataOf<T> & string>(
  source: Class<T>,
  named: readonly Name[],
): MappedClass<Pick<DataOf<T>, Name>> {
  const names: ReadonlySet<string> = new Set(named);
  const keeps = (name: string): boolean => names.has(name);
  // Only the decorators know which properties an instance has.
  return mapClass(nameCall('PickType', [source], named), [{ source, keeps, named }]) as MappedClass<
    Pick<DataOf<T>, Name>
  >;
}

/**
 * A class with the properties of several classes. What two of them have must satisfy the rules of both; it is optional, or
 * may be null, if it is or may be so in both, and the words and the default of the last hold.
 * @param sources DTO classes
 * @returns a class to extend, or to give as an input or output
 * @throws SigilError where an import cycle has left a class undefined
 * @example
 * class LentBook extends IntersectionType(Book, Loan) {}
 */
export function IntersectionType<const Sources extends readonly Class[]>(
  ...sources: Sources
): MappedClass<Intersected<Sources>> {
  const mapped = sources.map((source) => ({ source }));
  // Only the decorators know which properties an instance has.
  return mapClass(nameCall('IntersectionType', sources), mapped) as MappedClass<Intersected<Sources>>;
}
