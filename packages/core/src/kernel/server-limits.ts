/** What one client may make a server hold; each refusal names its limit. */

/** Limits, with their defaults where they are left out. */
export interface ServerLimits {
  /** Messages in a batch, for the revision that has batches; 100 if left out. */
  readonly batchMessages?: number;
  /** Characters in the answer to a batch; 16 MiB if left out. What does not fit is answered with an error of its own. */
  readonly batchAnswer?: number;
}

/** The limits of one server. */
export type KnownLimits = Required<ServerLimits>;

/** Fills in what is left out. */
export function limitsOf({ batchMessages = 100, batchAnswer = 16 * 1024 * 1024 }: ServerLimits = {}): KnownLimits {
  return { batchMessages, batchAnswer };
}
