/** The snippets of docs/authorization.md. */
import { createHash } from 'node:crypto';
import { Caller, Feature, Tool, createServer, type Auth, type Server } from '@sigil-mcp/core';
import { HttpTransport } from '@sigil-mcp/fastify';
import { introspection, jwt } from '@sigil-mcp/oauth';
import '@sigil-mcp/testing/matchers';
import { connect, issuer, type TestIssuer } from '@sigil-mcp/testing';

const digest = (token: string): string => createHash('sha256').update(token).digest('hex');
const owners = new Map([[digest('of-ada'), 'ada']]);

// #region auth
const auth: Auth = {
  resource: 'https://mcp.example.com/mcp',
  authorizationServers: ['https://id.example.com'],
  scopes: ['notes:read'],
  verify: (token) => {
    const id = owners.get(digest(token));
    return id === undefined ? undefined : new Caller({ id, scopes: ['notes:read'] });
  },
};
const transport = new HttpTransport({ port: 0, auth, handleSignals: false });
// #endregion auth

// #region jwt
const tokens = jwt({
  issuer: 'https://id.example.com/realms/notes',
  resource: 'https://mcp.example.com/mcp',
  scopes: ['notes:read'],
  // Where Keycloak has the roles.
  caller: ({ realm_access: access }) => ({ roles: (access as { roles?: string[] } | undefined)?.roles ?? [] }),
});
const signed = new HttpTransport({ auth: tokens });
// #endregion jwt

// #region introspection
const lookedUp = introspection({
  issuer: 'https://id.example.com',
  clientId: 'notes-server',
  clientSecret: process.env['CLIENT_SECRET'] ?? 'a secret of development',
  resource: 'https://mcp.example.com/mcp',
  scopes: ['notes:read'],
});
// #endregion introspection

// #region caller
@Feature()
class Notes {
  @Tool('Says whose notes these are')
  owner(caller: Caller): string {
    return caller.id;
  }
}
// #endregion caller

it('lets in whoever has a token that it knows, and says where others get one', async () => {
  const server = createServer({ name: 'notes', version: '1.0.0', features: [Notes], logger: false });
  await server.listen(transport);
  const url = transport.url ?? '';
  const client = await connect(url, { headers: { Authorization: 'Bearer of-ada' } });
  expect(await client.callTool('owner')).toMatchObject({ content: [{ text: 'ada' }] });
  await client.close();
  const refused = await fetch(url, { method: 'POST', body: '{}' });
  expect(refused.headers.get('www-authenticate')).toBe(
    'Bearer scope="notes:read", resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp"',
  );
  await server.close();
});

it('takes signed tokens, and knows where clients get them', () => {
  expect(signed.url).toBeUndefined();
  expect(tokens.authorizationServers).toEqual(['https://id.example.com/realms/notes']);
  expect(lookedUp.authorizationServers).toEqual(['https://id.example.com']);
});

// #region issuer
describe('an endpoint of our own', () => {
  let id: TestIssuer;
  let server: Server;
  let url: string;
  beforeAll(async () => {
    id = await issuer({ audience: 'https://mcp.example.com/mcp' });
    const auth = jwt({ issuer: id.url, resource: 'https://mcp.example.com/mcp' });
    const transport = new HttpTransport({ port: 0, auth, handleSignals: false });
    server = createServer({ name: 'notes', version: '1.0.0', features: [Notes], logger: false });
    await server.listen(transport);
    url = transport.url ?? '';
  });
  afterAll(() => Promise.all([server.close(), id.close()]));

  it('knows whose token it is', async () => {
    const headers = { authorization: `Bearer ${id.token({ sub: 'ada', scope: 'notes:read' })}` };
    const client = await connect(url, { headers });
    expect(await client.callTool('owner')).toHaveText('ada');
    await client.close();
  });

  it('refuses what has expired', async () => {
    const headers = { authorization: `Bearer ${id.token({ expiresIn: -60_000 })}` };
    expect((await fetch(url, { method: 'POST', headers })).status).toBe(401);
  });
});
// #endregion issuer
