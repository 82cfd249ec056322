/** What a caller may do over HTTP, and what one who may not is told: by status, challenge and body, on every revision. */
import {
  Caller,
  type Call,
  type Interceptor,
  McpHeader,
  Feature,
  McpContext,
  Prompt,
  Public,
  Resource,
  Roles,
  Scopes,
  Tool,
  UseGuards,
  type Auth,
  type ServerOptions,
} from '@sigil-mcp/core';
import type { HttpTransportOptions } from '@sigil-mcp/fastify';
import { META_KEYS } from '@sigil-mcp/protocol';
import { IsString } from 'class-validator';
import { request, serve, type HttpAnswer, type OpenServer } from './http-server';
import { until } from './raw-request';
import { revisionsOf } from '../../support/each-revision';

const NEWEST = '2026-07-28';
const METADATA = 'resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp"';

class Tag {
  @IsString() @McpHeader('Color') color!: string;
}

@Feature()
@Scopes('notes:read')
class Notes {
  @Tool('Tags, for its keeper') @UseGuards({ allows: ({ caller }) => caller.id === 'keeper' }) tag({
    color,
  }: Tag): string {
    return color;
  }

  @Tool('Says what this is') @Public() about(caller: Caller): string {
    return `notes for ${caller.kind}`;
  }

  @Tool('Lists notes') list({ scopes }: Caller): string {
    return scopes.join(' ');
  }

  @Tool('Adds a note, and says how far it has come') @Scopes('notes:write') async add(
    context: McpContext,
  ): Promise<string> {
    await context.progress(1, 2);
    context.log.error('half of it');
    return 'added';
  }

  @Tool('Purges') @Scopes('notes:write') @UseGuards(Roles('admin')) purge(): string {
    return 'purged';
  }

  @Resource('note://index') @Scopes('notes:deep') index(): string {
    return 'index';
  }

  @Prompt('Sums up') @Scopes('notes:write') sum(): string {
    return 'sum';
  }
}

/** Tokens are `id~scope.scope`, in base64: a scope has characters that no token has. */
const auth: Auth = {
  resource: 'https://mcp.example.com/mcp',
  authorizationServers: ['https://id.example.com'],
  scopes: ['mcp'],
  implies: { 'notes:admin': ['notes:write'], 'notes:write': ['notes:read'] },
  verify: (token) => {
    if (token === 'bad') return undefined;
    const [id = '', scopes = ''] = Buffer.from(token, 'base64url').toString().split('~');
    return new Caller({ id, scopes: scopes.split('.').filter((scope) => scope !== '') });
  },
};
const bearer = (scopes: string, id = 'ada'): { authorization: string } => ({
  authorization: `Bearer ${Buffer.from(`${id}~${scopes}`).toString('base64url')}`,
});

let open: OpenServer;
const start = async (
  options: HttpTransportOptions = {},
  definition: Partial<ServerOptions> = {},
): Promise<OpenServer> => (open = await serve({ features: [Notes], ...definition }, { auth, sse: true, ...options }));
afterEach(() => open.close());

const insufficient = (scope: string): string => `Bearer error="insufficient_scope", scope="${scope}", ${METADATA}`;
const META = { [META_KEYS.protocolVersion]: NEWEST, [META_KEYS.clientCapabilities]: {} };

type Ask = (method: string, params?: object, who?: Record<string, string>) => Promise<HttpAnswer>;

/** A client of one revision: what it sends, and who it is with each request. */
async function clientOf(version: string, who: Record<string, string>): Promise<Ask> {
  if (version < NEWEST) {
    const session = await open.initialize(version, who);
    const headers = version >= '2025-06-18' ? { 'mcp-protocol-version': version } : {};
    return (method, params, other = who) =>
      open.post(request('n7', method, params), { ...session, ...headers, ...other });
  }
  return (method, params = {}, other = who) => {
    const { name, uri } = params as { name?: string; uri?: string };
    const named = name ?? uri;
    const headers = {
      'mcp-protocol-version': version,
      'mcp-method': method,
      ...(named !== undefined && { 'mcp-name': named }),
    };
    return open.post(
      request('n7', method, { ...params, _meta: { ...(params as { _meta?: object })._meta, ...META } }),
      { ...headers, ...other },
    );
  };
}

const told = ({ status, headers, messages: [message] }: HttpAnswer): unknown[] => [
  status,
  headers.get('www-authenticate'),
  headers.get('content-type')?.split(';')[0],
  message?.id,
  message?.error?.code,
];
const missing = (scope: string) => [403, insufficient(scope), 'application/json', 'n7', -32600];
const textOf = ({ messages }: HttpAnswer): unknown =>
  (messages.at(-1)?.result?.['content'] as { text: string }[] | undefined)?.[0]?.text;
const toolNames = ({ messages }: HttpAnswer): string[] =>
  (messages[0]?.result?.['tools'] as { name: string }[]).map(({ name }) => name);

const SESSIONS = revisionsOf({ since: '2025-03-26' });

describe.each(SESSIONS)('a caller of %s', (version) => {
  it.each(['auto', 'always'] as const)(
    'who lacks scopes gets 403, all of them in one challenge, and a body under the id, before any byte of a stream (%s) [AUTH-004, AUTH-014, AUTH-016]',
    async (stream) => {
      await start({ stream });
      const ask = await clientOf(version, bearer('other'));
      expect(told(await ask('tools/call', { name: 'add' }))).toEqual(missing('mcp notes:read notes:write'));
      expect(told(await ask('tools/call', { name: 'list' }))).toEqual(missing('mcp notes:read'));
      expect(told(await ask('prompts/get', { name: 'sum' }))).toEqual(missing('mcp notes:read notes:write'));
      expect(told(await ask('resources/read', { uri: 'note://index' }))).toEqual(missing('mcp notes:read notes:deep'));
      const able = await ask('tools/call', { name: 'add', arguments: {} }, bearer('notes:read.notes:write'));
      expect([able.status, textOf(able)]).toEqual([200, 'added']);
    },
  );

  it('who lacks scopes gets 403 though an interceptor talks before anything is decided', async () => {
    const talkative: Interceptor = {
      async intercept(call: Call, next: () => Promise<unknown>): Promise<unknown> {
        call.context.log.error('It begins');
        await call.context.progress(1);
        return next();
      },
    };
    await start({}, { interceptors: [talkative] });
    const ask = await clientOf(version, bearer('notes:read'));
    const _meta = { progressToken: 'p', [META_KEYS.logLevel]: 'debug' };
    expect(told(await ask('tools/call', { name: 'add', _meta }))).toEqual(missing('mcp notes:read notes:write'));
    const able = await ask('tools/call', { name: 'add', _meta }, bearer('notes:write'));
    expect([able.headers.get('content-type'), textOf(able)]).toEqual(['text/event-stream', 'added']);
  });

  it('with a wider scope has the narrower ones, and a challenge names what is needed, also what it has [AUTH-015, AUTH-017]', async () => {
    await start();
    const ask = await clientOf(version, bearer('notes:admin'));
    expect(textOf(await ask('tools/call', { name: 'add' }))).toBe('added');
    expect(textOf(await ask('tools/call', { name: 'list' }))).toBe('notes:admin notes:write notes:read');
    expect(told(await ask('resources/read', { uri: 'note://index' }))).toEqual(missing('mcp notes:read notes:deep'));
    const narrow = await ask('tools/call', { name: 'add' }, bearer('notes:read'));
    expect(told(narrow)).toEqual(missing('mcp notes:read notes:write'));
  });

  it('who is refused by a role as well is told of neither', async () => {
    await start();
    const ask = await clientOf(version, bearer('other'));
    const refused = await ask('tools/call', { name: 'purge' });
    const unknown = await ask('tools/call', { name: 'nothing' });
    expect(refused.headers.get('www-authenticate')).toBeNull();
    expect([refused.status, refused.messages[0]?.error?.code]).toEqual([
      unknown.status,
      unknown.messages[0]?.error?.code,
    ]);
    expect(refused.messages[0]?.error?.message).toBe('Unknown tool: purge');
  });

  it('without a token has what is public, and is asked for one where that is not enough [AUTH-004, AUTH-013]', async () => {
    await start();
    const ask = await clientOf(version, {});
    expect(textOf(await ask('tools/call', { name: 'about' }))).toBe('notes for anonymous');
    const lists = await ask('tools/list');
    expect(toolNames(lists)).toEqual(['about']);
    if (version === NEWEST) expect(lists.messages[0]?.result).toMatchObject({ cacheScope: 'private' });
    const challenge = (scope: string) => [
      401,
      `Bearer scope="${scope}", ${METADATA}`,
      'application/json',
      'n7',
      -32600,
    ];
    expect(told(await ask('tools/call', { name: 'add' }))).toEqual(challenge('mcp notes:read notes:write'));
    // What guards may hide looks like what is not there.
    expect(told(await ask('tools/call', { name: 'purge' }))).toEqual(challenge('mcp'));
    expect(told(await ask('tools/call', { name: 'nothing' }))).toEqual(challenge('mcp'));
    expect(told(await ask('resources/read', { uri: 'note://index' }))).toEqual(challenge('mcp notes:read notes:deep'));
    expect(told(await ask('prompts/get', { name: 'sum' }))).toEqual(challenge('mcp notes:read notes:write'));
  });

  it('with a token that is not good has not even what is public [AUTH-005]', async () => {
    await start();
    const ask = await clientOf(version, {});
    const refused = await ask('tools/call', { name: 'about' }, { authorization: 'Bearer bad' });
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  it('without a token is let in only while there is something public', async () => {
    await start();
    const ask = await clientOf(version, {});
    expect((await ask('tools/list')).status).toBe(200);
    open.server.registry.disable('tool', 'about');
    expect((await ask('tools/list')).status).toBe(401);
    expect((await open.post(request(1, 'initialize', {}))).status).toBe(401);
    open.server.registry.enable('tool', 'about');
    expect((await ask('tools/list')).status).toBe(200);
  });

  it('has the rights of each token, not those of its first token [AUTH-021]', async () => {
    await start();
    const ask = await clientOf(version, bearer('notes:write'));
    expect(textOf(await ask('tools/call', { name: 'add' }))).toBe('added');
    expect(told(await ask('tools/call', { name: 'add' }, bearer('notes:read')))).toEqual(
      missing('mcp notes:read notes:write'),
    );
  });
});

it('without a token is asked for one before anybody looks at the state that it sends [AUTH-021]', async () => {
  await start();
  const ask = await clientOf(NEWEST, {});
  const again = { name: 'list', arguments: {}, requestState: 'made up', inputResponses: {} };
  expect((await ask('tools/call', again)).status).toBe(401);
  expect((await ask('tools/call', again, bearer('notes:read'))).messages[0]).toHaveProperty('error.code', -32602);
});

it('learns nothing of a hidden tool from the headers that it wants repeated', async () => {
  await start();
  const ask = await clientOf(NEWEST, bearer('notes:read'));
  const call = (who?: Record<string, string>) => ask('tools/call', { name: 'tag', arguments: { color: 'red' } }, who);
  expect((await call()).messages[0]?.error).toMatchObject({ code: -32602, message: 'Unknown tool: tag' });
  expect((await call({})).status).toBe(401);
  const keeper = await call(bearer('notes:read', 'keeper'));
  expect([keeper.status, keeper.messages[0]?.error?.code]).toEqual([400, -32020]);
});

it('with less than it had hears no more of a resource that it subscribed to', async () => {
  await start();
  const session = await open.initialize('2025-11-25', bearer('notes:read.notes:deep'));
  const response = await fetch(open.url, { headers: { ...session, accept: 'text/event-stream' } });
  let heard = '';
  void (async () => {
    for await (const chunk of response.body ?? []) heard += Buffer.from(chunk as Uint8Array).toString();
  })().catch(() => undefined);
  const subscribed = await open.post(request(1, 'resources/subscribe', { uri: 'note://index' }), session);
  expect(subscribed.messages[0]?.result).toEqual({});
  open.server.notifyResourceChanged('note://index');
  await until(() => heard.includes('resources/updated'));
  heard = '';
  await open.post(request(2, 'ping'), { ...session, ...bearer('notes:read') });
  open.server.notifyResourceChanged('note://index');
  open.server.registry.disable('tool', 'list');
  await until(() => heard.includes('tools/list_changed'));
  expect(heard).not.toContain('resources/updated');
  await open.post(request(3, 'ping'), session);
  open.server.notifyResourceChanged('note://index');
  await until(() => heard.includes('resources/updated'));
});

it('in a batch a request that wants more has an error of its own, and the others their answers', async () => {
  await start();
  const session = await open.initialize('2025-03-26', bearer('notes:read'));
  const batch = [
    request('a', 'tools/call', { name: 'list', arguments: {} }),
    request('b', 'tools/call', { name: 'add', arguments: {} }),
  ];
  const { status, headers, messages } = await open.post(batch, session);
  expect([status, headers.get('www-authenticate')]).toEqual([200, null]);
  const lacking = { code: -32600, data: { error: 'insufficient_scope', scope: 'notes:read notes:write' } };
  expect(messages.find(({ id }) => id === 'b')?.error).toMatchObject(lacking);
  expect(messages.find(({ id }) => id === 'a')?.result).toMatchObject({ content: [{ text: 'notes:read' }] });
  const anonymous = await open.initialize('2025-03-26');
  const [, refused] = (await open.post([request('p', 'ping'), batch[1]], anonymous)).messages;
  expect(refused?.error).toMatchObject({
    code: -32600,
    message: 'This request needs a token. Send it in the header "Authorization: Bearer <token>".',
  });
});

it('a subscription of the newest revision follows its resources', async () => {
  await start();
  const ask = await clientOf(NEWEST, bearer('notes:read'));
  const listen = (who?: Record<string, string>) =>
    ask('subscriptions/listen', { notifications: { resourceSubscriptions: ['note://index', 'note://nothing'] } }, who);
  expect(told(await listen())).toEqual(missing('mcp notes:read notes:deep'));
  expect((await listen({ authorization: '' })).status).toBe(401);
});

describe('over HTTP+SSE', () => {
  const connect = async (who: Record<string, string>) => {
    const aborter = new AbortController();
    const stream = await fetch(new URL('/sse', open.url), { headers: who, signal: aborter.signal });
    let text = '';
    void (async () => {
      for await (const chunk of stream.body ?? []) text += Buffer.from(chunk as Uint8Array).toString();
    })().catch(() => undefined);
    await until(() => text.includes('sessionId='));
    const target = new URL(/data: (.*)/.exec(text)?.[1] ?? '', open.url);
    const post = async (body: object): Promise<number> =>
      (
        await fetch(target, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...who },
          body: JSON.stringify(body),
        })
      ).status;
    const hello = { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'a', version: '1' } };
    expect(await post(request(1, 'initialize', hello))).toBe(202);
    await until(() => text.includes('"protocolVersion"'));
    return { post, heard: () => text, aborter };
  };

  it('the error comes on the stream, for callers with a token and without', async () => {
    await start();
    const able = await connect(bearer('notes:read'));
    await able.post(request(2, 'tools/call', { name: 'add', arguments: {} }));
    await until(() => able.heard().includes('"scope":"notes:read notes:write"'));
    const anonymous = await connect({});
    await anonymous.post(request(2, 'tools/call', { name: 'about', arguments: {} }));
    await until(() => anonymous.heard().includes('notes for anonymous'));
    await anonymous.post(request(3, 'tools/call', { name: 'list', arguments: {} }));
    await until(() => anonymous.heard().includes('This request needs a token'));
    for (const { aborter } of [able, anonymous]) aborter.abort();
  });
});
