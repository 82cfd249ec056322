/** `PickType`: a class with some properties of another one. */
import type { Class } from '@sigil-mcp/base';
import { mapClass } from './map-class';
import type { DataOf, MappedClass } from './mapped-class';
import { nameCall } from './partial-type';

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
