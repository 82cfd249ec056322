/** An authorization server for trying things out: it runs in the same process, and its tokens are printed. */
import type { TestIssuer } from '@sigil-mcp/testing';

/** Somebody who may try the server, and what they were granted. */
export interface Person {
  readonly name: string;
  readonly scope: string;
  readonly roles: readonly string[];
  readonly tenant: string;
}

/** Who gets a token. The last one belongs to another organisation. */
export const PEOPLE: readonly Person[] = [
  { name: 'reader', scope: 'notes:read', roles: [], tenant: 'acme' },
  { name: 'writer', scope: 'notes:read notes:write', roles: [], tenant: 'acme' },
  { name: 'admin', scope: 'notes:admin', roles: ['admin'], tenant: 'acme' },
  { name: 'stranger', scope: 'notes:admin', roles: ['admin'], tenant: 'globex' },
];

/** Opens it. It is a part of the kit for tests, and loaded for nobody else. */
export async function openDevelopmentIssuer(resource: string): Promise<TestIssuer> {
  const { issuer } = await import('@sigil-mcp/testing');
  return issuer({ audience: resource });
}

/** A token that is good for a day. */
export function tokenFor(issuer: TestIssuer, { name, scope, roles, tenant }: Person): string {
  return issuer.token({ sub: name, clientId: 'development', scope, expiresIn: 86_400_000, claims: { roles, tenant } });
}
