/** The documents by which clients find the authorization server, and the options that they are made of. */
import { Caller, createServer, type Auth } from '@sigil-mcp/core';
import { HttpTransport, mcpPlugin } from '@sigil-mcp/fastify';
import Fastify, { type FastifyInstance } from 'fastify';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';
const ISSUER = 'https://id.example.com';
const authOf = (resource: string, more: Partial<Auth> = {}): Auth => ({
  resource,
  authorizationServers: [ISSUER],
  verify: (id) => new Caller({ id }),
  ...more,
});
const serverOf = () => createServer({ name: 'metadata', version: '1.0.0', logger: false });

const apps: FastifyInstance[] = [];
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

async function listen(plugins: readonly { auth: Auth; prefix?: string; path?: string }[]): Promise<string> {
  const app = Fastify();
  apps.push(app);
  await app.register(async (inner) => {
    for (const options of plugins) await inner.register(mcpPlugin, { server: serverOf(), health: false, ...options });
  });
  return app.listen({ port: 0, host: '127.0.0.1' });
}
const get = async (url: string, headers: Record<string, string> = {}) => {
  const response = await fetch(url, { headers });
  return {
    status: response.status,
    headers: response.headers,
    document: response.ok ? await response.json() : undefined,
  };
};

describe('the metadata of an endpoint', () => {
  it('stands at both well-known places of the app, whatever prefix the plugin has [AUTH-010, AUTH-012]', async () => {
    const auth = authOf('https://mcp.example.com/api/mcp', { scopes: ['read'], scopesSupported: ['read', 'write'] });
    const url = await listen([{ auth, prefix: '/api' }]);
    for (const path of [WELL_KNOWN, `${WELL_KNOWN}/api/mcp`])
      expect(await get(`${url}${path}`)).toMatchObject({
        status: 200,
        document: {
          resource: 'https://mcp.example.com/api/mcp',
          authorization_servers: [ISSUER],
          scopes_supported: ['read', 'write'],
          bearer_methods_supported: ['header'],
        },
      });
    expect((await get(`${url}/api${WELL_KNOWN}`)).status).toBe(404);
  });

  it('is where the challenge says it is [AUTH-011, AUTH-013]', async () => {
    const url = await listen([
      { auth: authOf('https://mcp.example.com/api/mcp', { scopes: ['read'] }), prefix: '/api' },
    ]);
    const response = await fetch(`${url}/api/mcp`, { method: 'POST', body: '{}' });
    const [, scope, named] =
      /^Bearer scope="(.*)", resource_metadata="(.*)"$/.exec(response.headers.get('www-authenticate') ?? '') ?? [];
    expect([response.status, scope, named]).toEqual([401, 'read', `https://mcp.example.com${WELL_KNOWN}/api/mcp`]);
    expect((await get(`${url}${new URL(named ?? '').pathname}`)).status).toBe(200);
  });

  it('is one for each endpoint of an app; the root is of the first', async () => {
    const [one, two] = ['https://mcp.example.com/one', 'https://mcp.example.com/two'];
    const url = await listen([
      { auth: authOf(one), path: '/one' },
      { auth: authOf(two), path: '/two' },
    ]);
    expect((await get(`${url}${WELL_KNOWN}/one`)).document).toMatchObject({ resource: one });
    expect((await get(`${url}${WELL_KNOWN}/two`)).document).toMatchObject({ resource: two });
    expect((await get(`${url}${WELL_KNOWN}`)).document).toMatchObject({ resource: one });
  });

  it('follows the options, not the host in the request', async () => {
    const url = await listen([{ auth: authOf('https://mcp.example.com/mcp') }]);
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' };
    const { document } = await get(`${url}${WELL_KNOWN}/mcp`, headers);
    expect(JSON.stringify(document)).not.toContain('evil');
    expect(document).toEqual({
      resource: 'https://mcp.example.com/mcp',
      authorization_servers: [ISSUER],
      bearer_methods_supported: ['header'],
    });
  });

  it('is for every page and every client, and needs no token', async () => {
    const url = await listen([{ auth: authOf('https://mcp.example.com/mcp') }]);
    const { headers } = await get(`${url}${WELL_KNOWN}/mcp`, { origin: 'https://chat.example' });
    expect(headers.get('access-control-allow-origin')).toBe('*');
    const preflight = await fetch(`${url}${WELL_KNOWN}`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://chat.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'mcp-protocol-version',
      },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([204, '*']);
    expect((await fetch(`${url}${WELL_KNOWN}`, { method: 'HEAD' })).status).toBe(200);
  });

  it('never names offline_access, which is for clients to ask for [AUTH-018]', async () => {
    const scopes = ['read', 'offline_access'];
    const url = await listen([{ auth: authOf('https://mcp.example.com/mcp', { scopes, scopesSupported: scopes }) }]);
    expect((await get(`${url}${WELL_KNOWN}`)).document).toMatchObject({ scopes_supported: ['read'] });
    const { headers } = await fetch(`${url}/mcp`, { method: 'POST', body: '{}' });
    expect(headers.get('www-authenticate')).toContain('scope="read",');
  });

  it('is not there without a resource', async () => {
    const url = await listen([{ auth: { verify: (id) => new Caller({ id }) } }]);
    expect((await get(`${url}${WELL_KNOWN}`)).status).toBe(404);
  });
});

describe('the resource', () => {
  it.each([
    ['HTTPS://MCP.Example.COM/Mcp', 'https://mcp.example.com/Mcp', '/Mcp'],
    ['https://mcp.example.com:443/mcp', 'https://mcp.example.com/mcp', '/mcp'],
    ['https://mcp.example.com', 'https://mcp.example.com', ''],
    ['https://mcp.example.com/', 'https://mcp.example.com/', ''],
    ['https://mcp.example.com/mcp/', 'https://mcp.example.com/mcp/', '/mcp/'],
    ['https://mcp.example.com/m%C3%A9t:1/mcp', 'https://mcp.example.com/m%C3%A9t:1/mcp', '/m%C3%A9t:1/mcp'],
    ['http://localhost:3000/mcp', 'http://localhost:3000/mcp', '/mcp'],
    ['http://[::1]:3000/mcp', 'http://[::1]:3000/mcp', '/mcp'],
  ])('%s is told as %s [AUTH-019]', async (resource, told, path) => {
    const url = await listen([{ auth: authOf(resource) }]);
    for (const place of [WELL_KNOWN, `${WELL_KNOWN}${path}`])
      expect((await get(`${url}${place}`)).document).toMatchObject({ resource: told });
  });

  it.each([
    ['mcp.example.com/mcp', 'SIGIL_AUTH_RESOURCE', 'is not an absolute URI'],
    ['//mcp.example.com/mcp', 'SIGIL_AUTH_RESOURCE', 'is not an absolute URI'],
    ['https://', 'SIGIL_AUTH_RESOURCE', 'is not an absolute URI'],
    ['https://mcp.example.com/mcp#top', 'SIGIL_AUTH_RESOURCE', 'has a fragment'],
    ['https://mcp.example.com/mcp#', 'SIGIL_AUTH_RESOURCE', 'has a fragment'],
    ['https://mcp.example.com/mcp?a=1', 'SIGIL_AUTH_RESOURCE', 'has a query'],
    ['https://ada:s3cret@mcp.example.com/mcp?a=1', 'SIGIL_AUTH_RESOURCE', 'has a user name or a password'],
    ['http://mcp.example.com/mcp', 'SIGIL_AUTH_RESOURCE', 'is neither https nor on loopback'],
    ['http://127.evil.example/mcp', 'SIGIL_AUTH_RESOURCE', 'is neither https nor on loopback'],
    ['ftp://localhost/mcp', 'SIGIL_AUTH_RESOURCE', 'is neither https nor on loopback'],
  ])('%s is refused at start: %s, it %s', async (resource, code, reason) => {
    await expectRefusal(authOf(resource), code, reason);
  });

  it.each<[string, Partial<Auth>, string, string]>([
    ['no authorization servers', { authorizationServers: [] }, 'SIGIL_AUTH_SERVERS', 'no authorizationServers'],
    ['no resource', { resource: undefined as never }, 'SIGIL_AUTH_SERVERS', 'no resource'],
    ['a server without https', { authorizationServers: ['http://id.example.com'] }, 'SIGIL_AUTH_SERVERS', 'http://id'],
    ['a server that is no URL', { authorizationServers: ['id.example.com'] }, 'SIGIL_AUTH_SERVERS', 'id.example'],
    [
      'a server with a password, which stays unsaid,',
      { authorizationServers: ['https://ada:s3cret@id.example.com'] },
      'SIGIL_AUTH_SERVERS',
      'a user name or a password in one of its authorizationServers',
    ],
    ['two scopes in one', { scopes: ['read write'] }, 'SIGIL_AUTH_SCOPE', 'read write'],
    ['a scope with quotes', { scopesSupported: ['"'] }, 'SIGIL_AUTH_SCOPE', '"'],
    ['an empty scope', { scopes: [''] }, 'SIGIL_AUTH_SCOPE', '""'],
  ])('with %s is refused at start', async (_what, more, code, word) => {
    await expectRefusal(authOf('https://mcp.example.com/mcp', more), code, word);
  });
});

async function expectRefusal(auth: Auth, code: string, word: string): Promise<void> {
  const server = serverOf();
  const listening = server.listen(new HttpTransport({ port: 0, host: '127.0.0.1', handleSignals: false, auth }));
  const failure = await listening.catch((error: unknown) => error);
  expect(failure).toMatchObject({ code, message: expect.stringContaining(word) as string });
  expect((failure as Error).message).not.toMatch(/s3cret|ada/);
  await server.close();
}
