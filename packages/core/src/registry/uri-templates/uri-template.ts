/** RFC 6570 templates, both ways. The libraries that are kept expand templates only; a server has to go the other way, too. */

/** Variable -> decoded text, or the texts of an exploded one. */
export type UriVariables = Readonly<Record<string, string | readonly string[]>>;

/** One value that can stand in a URI. */
type Expandable = string | number | boolean;

/** What a template is expanded with; an exploded variable takes a list. */
export type ExpandableVariables = Readonly<Record<string, Expandable | readonly Expandable[] | undefined>>;

/** A template, compiled. */
export interface UriTemplate {
  readonly template: string;
  /** Names of its variables, in order. */
  readonly variables: readonly string[];
  /** Those that are exploded (`{/path*}`), whose values are lists. */
  readonly lists: ReadonlySet<string>;
  /**
   * Undefined if the URI does not match. Optional variables that are absent are left out, and so is an exploded one without
   * an item. Takes time in proportion to the length of the URI.
   */
  match(uri: string): UriVariables | undefined;
  /** Throws a `SigilError` for a variable that is missing, unknown, or a list where it should be none. */
  expand(variables: ExpandableVariables): string;
}
