/** Headers of a request, where one that came twice does not pass for a single value with a comma in it. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/**
 * The headers of a request, by names in lower case. Node joins what came several times; the headers of these names are lists
 * then, the others are as Node has them.
 */
export function distinctHeaders(message: IncomingMessage, names: readonly string[]): IncomingHttpHeaders {
  const { headers } = message;
  // Looked for first: the distinct ones cost as much as all the checks together.
  if (!names.some((name) => headers[name]?.includes(', '))) return headers;
  const repeated = names.filter((name) => (message.headersDistinct[name]?.length ?? 0) > 1);
  return { ...headers, ...Object.fromEntries(repeated.map((name) => [name, message.headersDistinct[name]])) };
}
