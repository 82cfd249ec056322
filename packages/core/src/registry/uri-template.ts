/** Matching of RFC 6570 templates. The libraries that are kept expand templates only; a server has to go the other way. */

/** A template, compiled. */
export interface UriTemplate {
  readonly template: string;
  /** Names of its variables, in order. */
  readonly variables: readonly string[];
  /** Variable -> decoded value; undefined if the URI does not match. Optional variables that are absent are left out. */
  match(uri: string): Readonly<Record<string, string>> | undefined;
}
