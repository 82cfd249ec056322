/** An authorization server for development: it runs in the same process, and users choose who they are on a page. */
import type { People, TestIssuer } from '@sigil-mcp/testing/issuer';

/** The users who can sign in. The last one belongs to another organisation. */
export const PEOPLE: People = {
  reader: { scopes: ['notes:read'], claims: { roles: [], tenant: 'acme' } },
  writer: { scopes: ['notes:read', 'notes:write'], claims: { roles: [], tenant: 'acme' } },
  admin: { scopes: ['notes:admin'], claims: { roles: ['admin'], tenant: 'acme' } },
  stranger: { scopes: ['notes:admin'], claims: { roles: ['admin'], tenant: 'globex' } },
};

/** Opens the issuer on the port after that of the server. It is a part of the testing package, which is loaded only here. */
export async function openDevelopmentIssuer(resource: string, port: number): Promise<TestIssuer> {
  const { developmentIssuer } = await import('@sigil-mcp/testing/issuer');
  return developmentIssuer({ resource, people: PEOPLE, port: port === 0 ? 0 : port + 1 });
}
