/** The official client as it comes: it begins without a token, and gets one with its own provider when something wants it. */
import { Client, ClientCredentialsProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Caller, createServer, tool, type McpContext } from '@sigil-mcp/core';
import { HttpTransport } from '@sigil-mcp/fastify';
import Fastify, { type FastifyInstance } from 'fastify';
import { freePort } from '../../support/free-port';

const description = 'A tool';
const features = [
  tool('about', { description, public: true }, (_: undefined, { caller }: McpContext) => caller.id),
  tool('read', { description, scopes: ['notes.read'] }, (_: undefined, { caller }: McpContext) => caller.id),
];

let issuer: FastifyInstance;
let issuerUrl: string;
let server: ReturnType<typeof createServer>;
let transport: HttpTransport;
const asked: string[] = [];
beforeAll(async () => {
  issuer = Fastify();
  issuer.addContentTypeParser('*', (_request, _body, done) => done(null));
  const port = await freePort();
  const url = (issuerUrl = `http://127.0.0.1:${port}`);
  issuer.get('/.well-known/oauth-authorization-server', () => ({
    issuer: url,
    token_endpoint: `${url}/token`,
    authorization_endpoint: `${url}/authorize`,
    response_types_supported: ['code'],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic'],
  }));
  issuer.post('/token', () => {
    asked.push('token');
    return { access_token: 'good', token_type: 'Bearer', expires_in: 3600, scope: 'notes.read' };
  });
  await issuer.listen({ port, host: '127.0.0.1' });
  const own = await freePort();
  transport = new HttpTransport({
    port: own,
    host: '127.0.0.1',
    handleSignals: false,
    auth: {
      resource: `http://127.0.0.1:${own}/mcp`,
      authorizationServers: [url],
      verify: (token) => (token === 'good' ? new Caller({ id: 'robot', scopes: ['notes.read'] }) : undefined),
    },
  });
  server = createServer({ name: 'notes', version: '1.0.0', features, logger: false });
  await server.listen(transport);
});
afterAll(async () => {
  await server.close();
  await issuer.close();
});

it.each([
  ['legacy', '2025-11-25'],
  ['auto', '2026-07-28'],
] as const)('a client that knows %s signs in when it is needed, and goes on [AUTH-001]', async (mode, revision) => {
  asked.length = 0;
  const client = new Client({ name: 'judge', version: '1.0.0' }, { versionNegotiation: { mode } });
  const authProvider = new ClientCredentialsProvider({
    clientId: 'robot',
    clientSecret: 'secret',
    expectedIssuer: issuerUrl,
  });
  await client.connect(new StreamableHTTPClientTransport(new URL(transport.url ?? ''), { authProvider }));
  expect(client.getNegotiatedProtocolVersion()).toBe(revision);
  expect(await client.callTool({ name: 'about' })).toMatchObject({ content: [{ text: 'anonymous' }] });
  expect(asked).toEqual([]);
  expect(await client.callTool({ name: 'read' })).toMatchObject({ content: [{ text: 'robot' }] });
  expect(await client.callTool({ name: 'about' })).toMatchObject({ content: [{ text: 'robot' }] });
  expect(asked).toEqual(['token']);
  expect((await client.listTools()).tools.map(({ name }) => name).sort()).toEqual(['about', 'read']);
  await client.close();
});
