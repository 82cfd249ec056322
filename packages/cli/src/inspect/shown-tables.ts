/** The tables in the output so far: an equal table is referred to, not repeated. */
import type { SchemaView } from '../arguments/json-schema';
import { schemaTexts } from './schema-rows';

/** Shorter tables are repeated, because they are quicker to read than to look up. */
const WORTH_IT = 2;

/** Objects that have been shown, by the contents of their tables. */
export class ShownTables {
  readonly #places = new Map<string, string>();

  /**
   * Finds the place where an object was shown; if it was not, this place is remembered.
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
