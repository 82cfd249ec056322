/** Whose notes somebody works on. */
import type { Caller } from '@sigil-mcp/core';

/** Those of the organisation that the token names, else their own. */
export function tenantOf({ claims, principal, kind }: Caller): string {
  const { tenant } = claims;
  return typeof tenant === 'string' ? `tenant ${tenant}` : `caller ${principal ?? kind}`;
}
