/** Classes made of other classes: with some of their properties, without some, with all of them optional, or of several. */
import { type Class, shorten } from '@sigil-mcp/base';
import { mapClass } from './map-class';

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
export function nameCall(helper: string, sources: readonly Class[], names?: readonly string[]): string {
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
