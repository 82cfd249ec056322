/** `IntersectionType`: a class with the properties of several. */
import type { Class } from '@sigil-mcp/base';
import { mapClass } from './map-class';
import type { DataOf, MappedClass } from './mapped-class';
import { nameCall } from './partial-type';

/** The data of all the classes of a list. */
export type Intersected<Sources extends readonly Class[]> = Sources extends readonly [
  Class<infer First>,
  ...infer Rest extends readonly Class[],
]
  ? Rest extends readonly []
    ? DataOf<First>
    : DataOf<First> & Intersected<Rest>
  : unknown;

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
