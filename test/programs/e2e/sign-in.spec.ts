/** From no token to a called tool: a real authorization server, and the official client that finds its way there by itself. */
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { Caller, Feature, Tool, createServer, type Auth, type Server, Scopes } from '@sigil-mcp/core';
import { HttpTransport } from '@sigil-mcp/fastify';
import { introspection, jwt } from '@sigil-mcp/oauth';
import { freePort } from '../../support/free-port';
import { AuthorizationServer } from '../../support/authorization-server/authorization-server';
import { HeadlessUser } from '../../support/authorization-server/headless-sign-in';

let url: string;

@Feature()
class Notes {
  @Tool('Says whose notes these are')
  owner({ id, kind, scopes }: Caller): string {
    return [kind, id, ...scopes].join(' ');
  }

  @Tool('Takes a note')
  @Scopes('notes:write')
  take({ scopes }: Caller): string {
    return `taken with ${scopes.join(' ')}`;
  }
}

const MODES = [
  ['2025-11-25', 'legacy'],
  ['2026-07-28', { pin: '2026-07-28' }],
] as const;

let authority: AuthorizationServer;
let server: Server;
const opened: Client[] = [];
beforeAll(async () => {
  authority = await AuthorizationServer.start();
});
afterAll(() => authority.stop());
afterEach(async () => {
  for (const client of opened.splice(0)) await client.close();
  await server.close();
  await authority.change({ accessTokenTtl: 600, format: 'jwt' });
});

async function start(authOf: (options: { issuer: string; resource: string; scopes: string[] }) => Auth): Promise<void> {
  const port = await freePort();
  url = `http://127.0.0.1:${port}/mcp`;
  const auth = authOf({ issuer: authority.issuer, resource: url, scopes: ['notes:read'] });
  server = createServer({ name: 'notes', version: '1.0.0', features: [Notes], logger: false });
  await server.listen(new HttpTransport({ port, host: '127.0.0.1', handleSignals: false, auth }));
}

const signed: Parameters<typeof start>[0] = (options) => jwt({ ...options, clockTolerance: 0, keyCooldown: 0 });

/** Meets the server as a person does: is turned away, signs in, and comes back. */
async function meet(
  user: HeadlessUser,
  mode: (typeof MODES)[number][1],
): Promise<[Client, StreamableHTTPClientTransport]> {
  const first = new StreamableHTTPClientTransport(new URL(url), { authProvider: user });
  await expect(clientOf(mode).connect(first)).rejects.toThrow(UnauthorizedError);
  await first.finishAuth(user.callback ?? new URLSearchParams());
  const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider: user });
  const client = clientOf(mode);
  await client.connect(transport);
  return [client, transport];
}

function clientOf(mode: (typeof MODES)[number][1]): Client {
  const client = new Client({ name: 'official-client', version: '2' }, { versionNegotiation: { mode } });
  opened.push(client);
  return client;
}

const owner = async (client: Client): Promise<unknown> =>
  (await client.callTool({ name: 'owner', arguments: {} })).content;
const says = (text: string) => [{ type: 'text', text }];

describe.each(MODES)('the official client on %s', (revision, mode) => {
  it('finds the authorization server, signs in with PKCE and calls [AUTH-001, AUTH-010, AUTH-012, AUTH-013]', async () => {
    await start(signed);
    const user = new HeadlessUser();
    const [client] = await meet(user, mode);
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect(await owner(client)).toEqual(says('user ada notes:read'));
    const [asked] = user.sentTo;
    expect(asked?.origin).toBe(authority.issuer);
    const { resource, scope, code_challenge_method: method } = Object.fromEntries(asked?.searchParams ?? []);
    // `offline_access` is the client's own idea: it wants to refresh.
    expect([resource, scope, method]).toEqual([url, 'notes:read offline_access', 'S256']);
  });

  it('refreshes a token that has expired, and goes on [AUTH-006]', async () => {
    await authority.change({ accessTokenTtl: 3 });
    await start(signed);
    const user = new HeadlessUser();
    const [client, transport] = await meet(user, mode);
    const session = transport.sessionId;
    // eslint-disable-next-line house/fixed-sleep -- tokens of the authorization server, another program, live by whole seconds of real time
    await new Promise((resolve) => setTimeout(resolve, 3100));
    // The next token is used on a machine that may be busy.
    await authority.change({ accessTokenTtl: 600 });
    expect(await owner(client)).toEqual(says('user ada notes:read'));
    expect([user.sentTo.length, user.kept.length > 1, transport.sessionId]).toEqual([1, true, session]);
    const tokens = user.kept.map(({ access_token: token }) => token);
    expect(new Set(tokens).size).toBe(tokens.length);
  });

  it('goes on when the authorization server signs with another key', async () => {
    await start(signed);
    const [client] = await meet(new HeadlessUser(), mode);
    expect(await owner(client)).toEqual(says('user ada notes:read'));
    await authority.change({ rotate: true });
    const [other] = await meet(new HeadlessUser(), mode);
    expect(await owner(other)).toEqual(says('user ada notes:read'));
    // What was verified before is remembered by its digest.
    expect(await owner(client)).toEqual(says('user ada notes:read'));
  });

  it('signs in again when its token is not good and cannot be refreshed [AUTH-005]', async () => {
    await start(signed);
    const user = new HeadlessUser();
    user.saveTokens({ access_token: 'made-up', token_type: 'Bearer', issuer: authority.issuer });
    const [client] = await meet(user, mode);
    expect(await owner(client)).toEqual(says('user ada notes:read'));
    expect(user.sentTo).toHaveLength(1);
  });

  it('asks its user for more when a tool wants it, and goes on [AUTH-014, AUTH-016]', async () => {
    await start(signed);
    const user = new HeadlessUser();
    const [client, transport] = await meet(user, mode);
    const take = () => client.callTool({ name: 'take', arguments: {} });
    await expect(take()).rejects.toThrow(UnauthorizedError);
    expect(user.sentTo[1]?.searchParams.get('scope')?.split(' ')).toEqual(
      expect.arrayContaining(['notes:read', 'notes:write']),
    );
    await transport.finishAuth(user.callback ?? new URLSearchParams());
    expect(await take()).toMatchObject({ content: says('taken with notes:read notes:write') });
    expect(await owner(client)).toEqual(says('user ada notes:read notes:write'));
  });

  it('brings opaque tokens as well, which the authorization server is asked about', async () => {
    await authority.change({ format: 'opaque' });
    const account = { clientId: 'notes-server', clientSecret: 'secret-of-the-notes-server' };
    await start((options) => introspection({ ...options, ...account }));
    const user = new HeadlessUser();
    const [client] = await meet(user, mode);
    expect(user.kept.at(-1)?.access_token).not.toContain('.');
    expect(await owner(client)).toEqual(says('user ada notes:read'));
  });
});
