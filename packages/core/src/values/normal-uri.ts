/**
 * The one spelling of all URIs that RFC 3986 calls equal: every search for a resource, a template or a subscription by its URI compares these.
 * @see https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2
 */
import { ProtocolError } from '@sigil-mcp/protocol';

/** A scheme, and the authority if there is one. Templates are normalized, too, with a character instead of each expression. */
const BEGINNING = /^([A-Za-z][A-Za-z0-9+.-]*:)(\/\/[^/?#]*)?/;
const ENCODED = /%[0-9A-Fa-f]{2}/g;
const UNRESERVED = /[A-Za-z0-9._~-]/;
/** How each byte is written, once it has been asked for. */
const BYTES: string[] = [];
const ENCODED_OR_UPPER = /%[0-9A-F]{2}|[A-Z]+/g;

/**
 * Writes scheme and host in lower case, hex digits in upper case, and unreserved characters as they are. Dots and empty parts of a path stay.
 * @param host `as sent` where its case may be data: `users://{name}` is a template of many servers
 */
export function normalUri(uri: string, host: 'in lower case' | 'as sent' = 'in lower case'): string {
  return uri
    .replace(ENCODED, normalByte)
    .replace(
      BEGINNING,
      (_all, scheme: string, authority: string = '') => scheme.toLowerCase() + normalAuthority(authority, host),
    );
}

function normalByte(encoded: string): string {
  const byte = Number.parseInt(encoded.slice(1), 16);
  return (BYTES[byte] ??= writtenByte(byte));
}

function writtenByte(byte: number): string {
  const character = String.fromCharCode(byte);
  return UNRESERVED.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}

/** The part before the `@` does not belong to the host. */
function normalAuthority(authority: string, host: 'in lower case' | 'as sent'): string {
  if (host === 'as sent') return authority;
  const begin = authority.lastIndexOf('@') + 1;
  return (
    authority.slice(0, begin) +
    authority.slice(begin).replace(ENCODED_OR_UPPER, (part) => (part.startsWith('%') ? part : part.toLowerCase()))
  );
}

// Whether a text is a valid resource URI, in a definition or from a client.

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
