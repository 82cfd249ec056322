/** The official client understands what it is told: which scopes to ask for, and that it needs a token. */
import { Client, InsufficientScopeError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Caller, createServer, tool, type McpContext } from '@sigil-mcp/core';
import { HttpTransport } from '@sigil-mcp/fastify';

const description = 'A tool';
const features = [
  tool('about', { description, public: true }, (_: undefined, { caller }: McpContext) => caller.kind),
  tool('add', { description, scopes: ['notes.read', 'notes.write'] }, async (_: undefined, context: McpContext) => {
    await context.progress(1);
    return 'added';
  }),
];
const server = createServer({ name: 'notes', version: '1.0.0', features, logger: false });
const transport = new HttpTransport({
  port: 0,
  host: '127.0.0.1',
  handleSignals: false,
  auth: {
    resource: 'https://mcp.example.com/mcp',
    authorizationServers: ['https://id.example.com'],
    implies: { 'notes.write': ['notes.read'] },
    verify: (token) => new Caller({ id: 'ada', scopes: [token] }),
  },
});
beforeAll(() => server.listen(transport));
afterAll(() => server.close());

async function connect(token: string | undefined, mode: 'auto' | 'legacy'): Promise<Client> {
  const client = new Client({ name: 'judge', version: '1.0.0' }, { versionNegotiation: { mode } });
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const options = { onInsufficientScope: 'throw', requestInit: { headers } } as const;
  await client.connect(new StreamableHTTPClientTransport(new URL(transport.url ?? ''), options));
  return client;
}

describe.each([
  ['auto', '2026-07-28'],
  ['legacy', '2025-11-25'],
] as const)('the official client, %s', (mode, revision) => {
  it('is told all scopes of a call at once, though the tool would stream [AUTH-014, AUTH-016]', async () => {
    const client = await connect('notes.read', mode);
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    const refused: unknown = await client.callTool({ name: 'add' }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(InsufficientScopeError);
    expect(refused).toMatchObject({ requiredScope: 'notes.read notes.write' });
    await client.close();
    const able = await connect('notes.write', mode);
    expect(await able.callTool({ name: 'add' })).toMatchObject({ content: [{ text: 'added' }] });
    await able.close();
  });

  it('has what is public without a token', async () => {
    const client = await connect(undefined, mode);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['about']);
    expect(await client.callTool({ name: 'about' })).toMatchObject({ content: [{ text: 'anonymous' }] });
    await expect(client.callTool({ name: 'add' })).rejects.toThrow(/This request needs a token/);
    await client.close();
  });
});
