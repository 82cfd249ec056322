/** The entry of one error in the catalogue. */

/**
 * Two sentences for the author of a server. `{name}` is filled in where the error is made; doubled braces, as in `{{city}}`, are
 * single ones in the sentence, and braces around anything but one word are code.
 */
export interface CatalogueEntry {
  /** What is wrong, one sentence. */
  readonly what: string;
  /** How to fix it, one sentence, imperative. */
  readonly fix: string;
}

/** Errors by their codes. */
export type CatalogueEntries = Readonly<Record<`SIGIL_${string}`, CatalogueEntry>>;
