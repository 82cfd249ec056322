/** JSON Schema 2020-12 as this framework writes it and passes it through. */

/** A JSON Schema object; an author-supplied one may hold any keyword. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}
