/** The names of the extension: on the wire, in schemas, in URIs. */

/** The identifier of the extension. */
export const RESULT_BUDGETS = 'io.github.sigil-mcp/result-budgets';

/** The argument that continues a result. */
export const CURSOR = 'cursor';

/** What a result says that was cut. */
export const MEMBERS = { nextCursor: 'nextCursor', total: 'total', hint: 'hint' } as const;

/** The key in `_meta` of a tool that tells Claude how long its results may be, in characters. */
export const MAX_CHARACTERS = 'anthropic/maxResultSizeChars';

/** The resource with what was cut: an id, and where it starts. */
export const REST = 'result://{id}/{from}';

/** The URI of what was cut. */
export function restUri(id: string, from: number): string {
  return `result://${id}/${from}`;
}
