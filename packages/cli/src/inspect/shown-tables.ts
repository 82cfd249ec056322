/** The tables that a page has so far: what stands there already is referred to, not written again. */
import type { SchemaView } from '../arguments/json-schema';
import { schemaTexts } from './schema-rows';

/** A table of fewer rows is as quickly read again as looked up. */
const WORTH_IT = 2;

/** Objects that have been shown, by what their tables say. */
export class ShownTables {
  readonly #places = new Map<string, string>();

  /**
   * Finds where an object was shown; where it was not, this is the place from now on.
   * @param depth of the object within the schema
   * @param place such as `what addBook returns`
   */
  findOrAdd(view: SchemaView, depth: number, place: string): string | undefined {
    const texts = schemaTexts(view, depth);
    if (texts.length < WORTH_IT) return undefined;
    const key = JSON.stringify(texts);
    const earlier = this.#places.get(key);
    if (earlier === undefined) this.#places.set(key, place);
    return earlier;
  }
}
