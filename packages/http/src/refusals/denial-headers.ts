/** The headers of a denial. */
import type { Denial } from '@sigil-mcp/core';

/** Characters that headers must not contain: control characters and those beyond Latin 1 (RFC 9110, section 5.5). */
const FORBIDDEN = /[^\t\x20-\x7e\x80-\xff]+/g;

/** The headers of a denial: its challenge, and its retry time. */
export function headersOf({ challenge, retryAfter }: Denial): Record<string, string> {
  return {
    ...(challenge !== undefined && { 'www-authenticate': headerText(challenge) }),
    ...(retryAfter !== undefined && { 'retry-after': String(Math.max(0, Math.ceil(retryAfter))) }),
  };
}

/** A text for a header: each invalid character becomes a space. */
function headerText(text: string): string {
  return text.replace(FORBIDDEN, ' ');
}
