/** Where the API is, and how patient the server is with it. */

/** How long an API may take, and how often it is tried. */
export interface Patience {
  /** Milliseconds for one try, the body included. */
  readonly timeLimit: number;
  /** How often a request is tried in all. */
  readonly tries: number;
  /** Milliseconds before the second try, doubled for each one after it. */
  readonly firstWait: number;
  /** The longest time that a caller is kept waiting between two tries, milliseconds. */
  readonly longestWait: number;
}

const PATIENCE: Patience = { timeLimit: 10_000, tries: 4, firstWait: 250, longestWait: 10_000 };

/** The settings of one API, as a class so that they can be injected. */
export class RestSettings {
  readonly patience: Patience;

  /**
   * @param url what all paths are relative to; it ends with a slash
   * @param token sent as a bearer token; none if left out
   */
  constructor(
    readonly url: string,
    readonly token?: string,
    patience: Partial<Patience> = {},
  ) {
    this.patience = { ...PATIENCE, ...patience };
  }
}
