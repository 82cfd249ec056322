/** The error that a view receives: the host refused a request, or does not answer. */

/** What a request of a view is rejected with. */
export class ViewError extends Error {
  override readonly name = 'ViewError';
  /**
   * @param message what happened and what to do, for the author of the page
   * @param code the code of a JSON-RPC error of the host or the server; undefined if neither answered
   * @param data what the error carries
   */
  constructor(
    message: string,
    readonly code?: number,
    readonly data?: unknown,
  ) {
    super(message);
  }
}
