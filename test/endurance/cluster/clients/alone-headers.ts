/** The headers of requests that stand alone. */

/** Headers that repeat what a request says. */
export const aloneHeaders = (method: string, name?: string): Record<string, string> => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': method,
  ...(name !== undefined && { 'mcp-name': name }),
});
