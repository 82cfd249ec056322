/** Headers that were sent more than once: a duplicate is not mistaken for one value with a comma. */
import type { RequestHeaders } from '@sigil-mcp/core';
import type { HttpRequest } from '../port';

/**
 * The headers of a request, by names in lower case. Duplicates are joined; the headers with the given names become lists instead,
 * all others are as they were.
 */
export function distinctHeaders(request: HttpRequest, names: readonly string[]): RequestHeaders {
  const { headers } = request;
  // Checked first, because most requests have nothing to look for.
  if (!names.some((name) => headers[name]?.includes(', '))) return headers;
  const repeated = names.map((name) => [name, valuesOf(request.rawHeaders, name)] as const);
  return { ...headers, ...Object.fromEntries(repeated.filter(([, values]) => values.length > 1)) };
}

function valuesOf(rawHeaders: readonly string[], name: string): readonly string[] {
  const values: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === name) values.push(rawHeaders[index + 1] ?? '');
  }
  return values;
}

/**
 * The number of times that a header was sent.
 * @param rawHeaders from Node: names and values in turn
 * @param name in lower case
 */
export function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const raw = rawHeaders[index];
    if (raw?.length === name.length && raw.toLowerCase() === name) count += 1;
  }
  return count;
}
