/** What a denial says beside its body. */
import type { Denial } from '@sigil-mcp/core';
import { headerText } from './header-text';

/** The headers of a denial: its challenge, and when to try again. */
export function headersOf({ challenge, retryAfter }: Denial): Record<string, string> {
  return {
    ...(challenge !== undefined && { 'www-authenticate': headerText(challenge) }),
    ...(retryAfter !== undefined && { 'retry-after': String(Math.max(0, Math.ceil(retryAfter))) }),
  };
}
