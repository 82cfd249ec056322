/** `PartialType`: a class whose properties are all optional. */
import { type Class, shorten } from '@sigil-mcp/base';
import { mapClass } from './map-class';
import type { DataOf, MappedClass } from './mapped-class';

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
