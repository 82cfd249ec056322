/** An authorization server for development: it runs in the same process, and its tokens are printed. */
import type { TestIssuer } from '@sigil-mcp/testing';

/** A user to try the server as, with its grants. */
export interface Person {
  readonly name: string;
  readonly scope: string;
  readonly roles: readonly string[];
  readonly tenant: string;
}

/** The users that get a token. The last one belongs to another organisation. */
export const PEOPLE: readonly Person[] = [
  { name: 'reader', scope: 'notes:read', roles: [], tenant: 'acme' },
  { name: 'writer', scope: 'notes:read notes:write', roles: [], tenant: 'acme' },
  { name: 'admin', scope: 'notes:admin', roles: ['admin'], tenant: 'acme' },
  { name: 'stranger', scope: 'notes:admin', roles: ['admin'], tenant: 'globex' },
];

/** Opens the issuer. It is a part of the testing package, which is loaded only here. */
export async function openDevelopmentIssuer(resource: string): Promise<TestIssuer> {
  const { issuer } = await import('@sigil-mcp/testing');
  return issuer({ audience: resource });
}

/** A token that is valid for a day. */
export function tokenFor(issuer: TestIssuer, { name, scope, roles, tenant }: Person): string {
  return issuer.token({ sub: name, clientId: 'development', scope, expiresIn: 86_400_000, claims: { roles, tenant } });
}
