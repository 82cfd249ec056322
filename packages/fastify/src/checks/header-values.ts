/**
 * The value of a header that mirrors the body -> text, or undefined where it is broken. Values that are no plain ASCII
 * come as Base64 between two marks.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#value-encoding
 */
import { isUtf8 } from 'node:buffer';

/** Bytes that the value of a header may have; a longer one is refused before anything is decoded. */
export const LONGEST_HEADER_VALUE = 8192;

const PREFIX = '=?base64?';
const SUFFIX = '?=';
/** What RFC 9110 lets a sender write: visible ASCII, space and tab. */
const FIELD_VALUE = /^[\t\x20-\x7e]*$/;

/**
 * Reads a header value as it stands, without the white space around it.
 * @returns undefined if it is longer than `LONGEST_HEADER_VALUE` or holds characters that a header must not
 */
export function readHeaderValue(raw: string): string | undefined {
  // Of what is trimmed, the pattern has left but space and tab.
  return raw.length <= LONGEST_HEADER_VALUE && FIELD_VALUE.test(raw) ? raw.trim() : undefined;
}

/**
 * Decodes a header value: what stands between `=?base64?` and `?=` is Base64 of UTF-8, anything else is literal.
 * @returns undefined for a value that cannot be read, or whose Base64 or UTF-8 is broken
 */
export function decodeHeaderValue(raw: string): string | undefined {
  const value = readHeaderValue(raw);
  if (value === undefined || !isWrapped(value)) return value;
  return decodeBase64(value.slice(PREFIX.length, -SUFFIX.length));
}

function isWrapped(value: string): boolean {
  return value.length >= PREFIX.length + SUFFIX.length && value.startsWith(PREFIX) && value.endsWith(SUFFIX);
}

function decodeBase64(encoded: string): string | undefined {
  const bytes = Buffer.from(encoded, 'base64');
  // Node's decoder skips what it does not know; only Base64 in its one proper form comes out again as it went in.
  if (bytes.toString('base64') !== encoded || !isUtf8(bytes)) return undefined;
  return bytes.toString('utf8');
}
