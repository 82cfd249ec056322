/**
 * The value of a header that mirrors the body -> text, or undefined if it is malformed. Values other than plain ASCII
 * are sent as Base64 between two marks.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#value-encoding
 */
import { isUtf8 } from 'node:buffer';

/** The longest header value in bytes; a longer one is refused without decoding. */
export const LONGEST_HEADER_VALUE = 8192;

const PREFIX = '=?base64?';
const SUFFIX = '?=';
/** The characters that RFC 9110 allows in a value: visible ASCII, space and tab. */
const FIELD_VALUE = /^[\t\x20-\x7e]*$/;

/**
 * Reads a literal header value, without the white space around it.
 * @returns undefined if it is longer than `LONGEST_HEADER_VALUE` or contains characters that are not allowed
 */
export function readHeaderValue(raw: string): string | undefined {
  // After this pattern, trim() only removes spaces and tabs.
  return raw.length <= LONGEST_HEADER_VALUE && FIELD_VALUE.test(raw) ? raw.trim() : undefined;
}

/**
 * Decodes a header value: text between `=?base64?` and `?=` is Base64 of UTF-8, all other text is literal.
 * @returns undefined for a malformed value, or invalid Base64 or UTF-8
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
  // Node's decoder skips unknown characters; only canonical Base64 is the same after encoding it again.
  if (bytes.toString('base64') !== encoded || !isUtf8(bytes)) return undefined;
  return bytes.toString('utf8');
}
