/** URIs that clients send. */
import { ProtocolError } from '@sigil-mcp/protocol';
import { isAbsoluteUri } from '../../registry/absolute-uri';

/** Throws `invalid-params` for what is no URI. */
export function checkUri(uri: string): void {
  if (!isAbsoluteUri(uri))
    throw new ProtocolError('invalid-params', 'params.uri must be an absolute URI as RFC 3986 says.');
}
