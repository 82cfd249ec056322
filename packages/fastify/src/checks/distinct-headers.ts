/** Headers of a request, where one that came twice does not pass for a single value with a comma in it. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** Node joins what came several times; the headers of the protocol are given as they came, the others as Node has them. */
export function distinctHeaders(message: IncomingMessage): IncomingHttpHeaders {
  const { headers } = message;
  const suspects: string[] = [];
  for (const name in headers) if (name.startsWith('mcp-') && headers[name]?.includes(', ')) suspects.push(name);
  // Nearly always; the distinct ones cost as much as all the checks together.
  if (suspects.length === 0) return headers;
  const repeated = suspects.filter((name) => (message.headersDistinct[name]?.length ?? 0) > 1);
  return { ...headers, ...Object.fromEntries(repeated.map((name) => [name, message.headersDistinct[name]])) };
}
