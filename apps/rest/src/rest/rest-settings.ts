/** The address of the API, its time limits and its retries. */

/** How long a request may take, and how often it is tried. */
export interface Patience {
  /** Milliseconds for one attempt, the body included. */
  readonly timeLimit: number;
  /** The total number of attempts. */
  readonly tries: number;
  /** Milliseconds before the second attempt, doubled for each one after it. */
  readonly firstWait: number;
  /** The longest pause between two attempts, in milliseconds. */
  readonly longestWait: number;
}

const PATIENCE: Patience = { timeLimit: 10_000, tries: 4, firstWait: 250, longestWait: 10_000 };

/** Sends a request, as the global `fetch` does. */
export type Send = (url: string, request: RequestInit) => Promise<Response>;

/** The settings of one API, as a class so that they can be injected. */
export class RestSettings {
  readonly patience: Patience;

  /**
   * @param url the base of all paths; it ends with a slash
   * @param token sent as a bearer token; requests have no token if left out
   * @param send the global `fetch` if left out
   */
  constructor(
    readonly url: string,
    readonly token?: string,
    patience: Partial<Patience> = {},
    readonly send: Send = fetch,
  ) {
    this.patience = { ...PATIENCE, ...patience };
  }
}
