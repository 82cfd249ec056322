/** Whether a text is a valid resource URI, in a definition or from a client. */
import { ProtocolError } from '@sigil-mcp/protocol';

/** RFC 3986: a scheme, a colon, and nothing that would have to be encoded. */
const ABSOLUTE_URI = /^[A-Za-z][A-Za-z0-9+.-]*:[^\s\p{Cc}"<>\\^`{}|]*$/u;

/** Whether a text is an absolute URI. */
export function isAbsoluteUri(text: string): boolean {
  return ABSOLUTE_URI.test(text);
}

/** Throws `invalid-params` for what a client sent and is no URI. */
export function checkUri(uri: string): void {
  if (!isAbsoluteUri(uri))
    throw new ProtocolError('invalid-params', 'params.uri must be an absolute URI as RFC 3986 says.');
}
