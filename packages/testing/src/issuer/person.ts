/** A user who can sign in at the page of an issuer. */
export interface Person {
  /** The scopes of the user's tokens; none if left out. */
  readonly scopes?: readonly string[];
  /** Further claims of the user's tokens, such as `roles`. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** The users of an issuer, by the subject of their tokens, which is also the name on the page. */
export type People = Readonly<Record<string, Person>>;
