/** RFC 6570 templates, both ways. Maintained libraries only expand templates; a server must match URIs, too. */

/** Variable -> decoded text, or the texts of an exploded one. */
export type UriVariables = Readonly<Record<string, string | readonly string[]>>;

/** One value that a URI can contain. */
type Expandable = string | number | boolean;

/** The values to expand a template with; an exploded variable takes a list. */
export type ExpandableVariables = Readonly<Record<string, Expandable | readonly Expandable[] | undefined>>;

/** A template, compiled. */
export interface UriTemplate {
  readonly template: string;
  /** Names of its variables, in order. */
  readonly variables: readonly string[];
  /** Those that are exploded (`{/path*}`), whose values are lists. */
  readonly lists: ReadonlySet<string>;
  /**
   * Undefined if the URI does not match. Optional variables that are absent are left out, and so is an exploded one without items. The
   * time is linear in the length of the URI.
   */
  match(uri: string): UriVariables | undefined;
  /** Throws a `SigilError` for a variable that is missing, unknown, or a list where one value is needed. */
  expand(variables: ExpandableVariables): string;
}
