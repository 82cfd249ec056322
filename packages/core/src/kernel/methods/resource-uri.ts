/** URIs that clients send. */
import { ProtocolError } from '@sigil-mcp/protocol';

/** RFC 3986: a scheme, a colon, and nothing that would have to be encoded. */
const ABSOLUTE_URI = /^[A-Za-z][A-Za-z0-9+.-]*:[^\s\p{Cc}"<>\\^`{}|]*$/u;

/** Throws `invalid-params` for what is no URI. */
export function checkUri(uri: string): void {
  if (!ABSOLUTE_URI.test(uri))
    throw new ProtocolError('invalid-params', 'params.uri must be an absolute URI as RFC 3986 says.');
}
