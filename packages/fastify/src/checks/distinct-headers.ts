/** The headers of a request, where a duplicate is not mistaken for one value with a comma. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/**
 * The headers of a request, by names in lower case. Node joins duplicates; the headers with the given names become lists instead,
 * all others are as in Node.
 */
export function distinctHeaders(message: IncomingMessage, names: readonly string[]): IncomingHttpHeaders {
  const { headers } = message;
  // Checked first, because `headersDistinct` costs as much as all other checks together.
  if (!names.some((name) => headers[name]?.includes(', '))) return headers;
  const repeated = names.filter((name) => (message.headersDistinct[name]?.length ?? 0) > 1);
  return { ...headers, ...Object.fromEntries(repeated.map((name) => [name, message.headersDistinct[name]])) };
}
