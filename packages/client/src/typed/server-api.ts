/** What a server offers, as types: `ClientOf` of `@sigil-mcp/core` makes them from a server, and `sigil types` writes them for any server. */

/** The types of one entry. All of it exists for the compiler only. */
export interface EntryTypes {
  /** The arguments of a tool or prompt, the variables of a template. */
  readonly arguments: unknown;
  /** The data that is returned; undefined for text and bytes, `unknown` if nothing is known of it. */
  readonly data: unknown;
  /**
   * The data of the forms that it may ask the user to fill in, and `{ '~question': 'sampling' | 'roots' | 'url' }` for other questions;
   * `never` if it asks nothing, `unknown` if that is not declared.
   */
  readonly asks: unknown;
}

/** The entries of a server, by their names; a resource of a server of Sigil also by its method or its URI. */
export interface ServerApi {
  readonly tools: Readonly<Record<string, EntryTypes>>;
  readonly prompts: Readonly<Record<string, EntryTypes>>;
  readonly resources: Readonly<Record<string, EntryTypes>>;
}
