/** The texts of errors, by code. */

/**
 * Two sentences for the author of a server. `{name}` is filled in where the error is made; doubled braces, as in `{{city}}`, are
 * single ones in the sentence, and braces around anything but one word are code.
 */
export interface CatalogueEntry {
  /** What is wrong, one sentence. */
  readonly problem: string;
  /** How to fix it, one sentence, imperative. */
  readonly fix: string;
}

/** Errors by their codes: capital letters with the prefix of their package, such as `SIGIL_TOOL_NAME`. */
export type CatalogueEntries = Readonly<Record<string, CatalogueEntry>>;

/** The errors of one section of docs/errors.md. */
export interface CatalogueGroup {
  readonly title: string;
  /** When they occur, and who receives them. */
  readonly about: string;
  readonly errors: CatalogueEntries;
}
