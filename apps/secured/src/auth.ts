/** Who may call: callers with a token that the authorization server issued for this server. */
import { jwt } from '@sigil-mcp/oauth';
import type { Settings } from './settings';

type Auth = ReturnType<typeof jwt>;

/** The scopes of the service. */
export const SCOPES = ['notes:read', 'notes:write', 'notes:admin'];

// #region auth
/** Verifies the tokens of an issuer. */
export function authOf(issuer: string, { resource, audience }: Pick<Settings, 'resource' | 'audience'>): Auth {
  return jwt({
    issuer,
    resource,
    audience,
    scopes: ['notes:read'],
    scopesSupported: SCOPES,
    implies: { 'notes:admin': ['notes:read', 'notes:write'] },
    caller: ({ roles, realm_access: access }) => ({ roles: [...textsOf(roles), ...textsOf(rolesIn(access))] }),
  });
}
// #endregion auth

/** Keycloak writes the roles of a realm into a separate object. */
function rolesIn(access: unknown): unknown {
  return typeof access === 'object' && access !== null && 'roles' in access ? access.roles : undefined;
}

function textsOf(claim: unknown): string[] {
  return Array.isArray(claim) ? claim.filter((each) => typeof each === 'string') : [];
}
