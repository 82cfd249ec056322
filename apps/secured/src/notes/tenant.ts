/** The tenant of a caller. */
import type { Caller } from '@sigil-mcp/core';

/** The organisation in the token, or else the caller itself. */
export function tenantOf({ claims, principal, kind }: Caller): string {
  const { tenant } = claims;
  return typeof tenant === 'string' ? `tenant ${tenant}` : `caller ${principal ?? kind}`;
}
