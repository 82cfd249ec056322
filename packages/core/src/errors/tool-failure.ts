/** A failure that a tool wants the model to read. */

/**
 * Thrown by a tool: the call is answered with `isError: true` and this message, word for word, so that the model can do
 * something about it. Any other error is masked.
 * @example throw new ToolFailure('There is no flight on that day; the next one is on Friday.');
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/tools#error-handling
 */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
}
