/** The headers of a denial. */
import type { Denial } from '@sigil-mcp/core';
import { headerText } from './header-text';

/** The headers of a denial: its challenge, and its retry time. */
export function headersOf({ challenge, retryAfter }: Denial): Record<string, string> {
  return {
    ...(challenge !== undefined && { 'www-authenticate': headerText(challenge) }),
    ...(retryAfter !== undefined && { 'retry-after': String(Math.max(0, Math.ceil(retryAfter))) }),
  };
}
