/** The snippets of docs/authorization.md. */
import { createHash } from 'node:crypto';
import {
  Caller,
  Feature,
  Public,
  Roles,
  Scopes,
  Tool,
  UseGuards,
  createServer,
  type Auth,
  type Server,
} from '@sigil-mcp/core';
import { StdioTransport } from '@sigil-mcp/core/stdio';
import { HttpTransport } from '@sigil-mcp/fastify';
import { introspection, jwt } from '@sigil-mcp/oauth';
import '@sigil-mcp/testing/matchers';
import { connect, issuer, type TestIssuer } from '@sigil-mcp/testing';

const digest = (token: string): string => createHash('sha256').update(token).digest('hex');
const owners = new Map([[digest('of-ada'), 'ada']]);

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

// #region scopes
@Feature()
@Scopes('notes:read')
class NoteTools {
  @Tool('Says what this server is for')
  @Public()
  about(): string {
    return 'Notes of many people';
  }

  @Tool('Adds a note')
  @Scopes('notes:write')
  addNote(caller: Caller): string {
    return `Added for ${caller.id}`;
  }

  @Tool('Throws old notes away')
  @UseGuards(Roles('admin'))
  purge(): string {
    return 'Gone';
  }

  @Tool('Opens the vault')
  @Scopes('vault', { listed: false })
  openVault(): string {
    return 'Open';
  }
}
// #endregion scopes

// #region implies
const implying: Auth = {
  ...auth,
  implies: { 'notes:admin': ['notes:write', 'vault'], 'notes:write': ['notes:read'] },
  verify: (token) => new Caller({ id: 'ada', scopes: token.split('.') }),
};
// #endregion implies

// #region local
const local = new StdioTransport({ caller: { id: 'kiosk', scopes: ['notes:read'], roles: [] } });
// #endregion local

it('wants of each caller what its entries say', async () => {
  const server = createServer({ name: 'notes', version: '1.0.0', features: [NoteTools], logger: false });
  const names = async (options: Parameters<typeof connect>[1]): Promise<string[]> => {
    const client = await connect(server, options);
    const { tools } = (await client.listTools()) as { tools: { name: string }[] };
    await client.close();
    return tools.map(({ name }) => name);
  };
  expect(await names({ as: { scopes: [] } })).toEqual(['about', 'addNote']);
  expect(await names({ as: { scopes: [], roles: ['admin'] } })).toEqual(['about', 'addNote', 'purge']);
  expect(await names({ as: { scopes: ['vault', 'notes:read'] } })).toEqual(['about', 'addNote', 'openVault']);
  expect(await names({ as: { kind: 'anonymous' } })).toEqual(['about']);
  expect(await names({ as: { kind: 'local' } })).toEqual(['about', 'addNote', 'purge', 'openVault']);
  expect(local).toBeInstanceOf(StdioTransport);
  await server.close();
});

it('challenges with all scopes at once, and takes a wider one', async () => {
  const server = createServer({ name: 'notes', version: '1.0.0', features: [NoteTools], logger: false });
  const http = new HttpTransport({ port: 0, auth: implying, handleSignals: false });
  await server.listen(http);
  const call = (token: string): Promise<Response> =>
    fetch(http.url ?? '', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'addNote',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'addNote',
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      }),
    });
  const refused = await call('other');
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
    403,
    'Bearer error="insufficient_scope", scope="notes:read notes:write", resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp"',
  ]);
  await server.close();
});

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
