/** Values that come from data, or have state of their own: members that Sigil does not know are no mistakes in them, unless one is misspelt. */
import { connect as connectClient } from '@sigil-mcp/client';
import {
  Caller,
  Denial,
  MemoryTransport,
  contents,
  createFact,
  createServer,
  text,
  tool,
  type CallerInit,
  type McpContext,
  type ServerOptions,
} from '@sigil-mcp/core';
import { createHttpHandler } from '@sigil-mcp/http';
import { createFetchHandler } from '@sigil-mcp/http/fetch';
import { jwt } from '@sigil-mcp/oauth';
import { connect, issuer } from '@sigil-mcp/testing';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const named = { name: 'hello', version: '1.0.0', logger: false } as const;
const url = 'http://127.0.0.1:9/mcp';
const hello = tool('hello', { description: 'Says hello' }, () => 'hello');
const serverWith = (options: object): ReturnType<typeof createServer> =>
  createServer({ ...named, features: [hello], ...(options as Partial<ServerOptions>) });

class User {
  readonly email = 'ada@example.com';
  readonly #secret = 'a';

  constructor(readonly id: string) {}

  get secret(): string {
    return this.#secret;
  }
}

it.each<[string, object]>([
  [
    'null for what it does not have',
    { id: 'ada', roles: null, scopes: null, clientId: null, issuer: null, claims: null },
  ],
  ['columns of a row', { id: 'ada', email: 'ada@example.com', _id: 7, db: 'a', created: new Date(0) }],
  ['an instance of a class', new User('ada')],
])('a request over HTTP is answered to a caller with %s', async (_title, init) => {
  const whoami = tool('whoami', { description: 'Says who calls' }, (_input: undefined, { caller }) => caller.id);
  const auth = {
    resource: 'https://example.com/mcp',
    authorizationServers: ['https://id.example.com'],
    verify: async () => new Caller(init as CallerInit),
  };
  const handle = createFetchHandler(serverWith({ features: [whoami] }), { auth, isLoopback: true, sessions: false });
  const params = { name: 'whoami', arguments: {} };
  const response = await handle(
    new Request(url, {
      method: 'POST',
      headers: {
        Authorization: 'Bearer a',
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': '2025-06-18',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    }),
  );
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('ada')]);
  await handle.close();
});

it('null grants nothing, and a caller needs an id', () => {
  const local = new Caller({ id: 'ada', kind: 'local', scopes: null, roles: null } as never);
  expect([local.hasEveryScope, local.hasEveryRole, local.hasScopes('a'), local.hasRole('a')]).toEqual([
    false,
    false,
    false,
    false,
  ]);
  const bare = new Caller({ id: 'ada', clientId: null, issuer: null, claims: null } as never);
  expect(bare).toMatchObject({ clientId: undefined, issuer: undefined, claims: {}, scopes: [], roles: [] });
  expect(bare.principal).toBe(new Caller({ id: 'ada' }).principal);
  expect(() => new Caller({ id: null } as never)).toThrow('Caller({ id }): it is null.');
  expect(() => new Caller({ id: 'ada', expiresAt: null } as never)).toThrow('Caller({ expiresAt }): it is null.');
  expect(() => new Caller({ user: 'ada' } as never)).toThrow('Caller({ user }): there is no such option.');
});

it('a misspelt member of a row is refused, unless the member is there, too', () => {
  const row = { id: 'ada', scope: 'a b', email: 'a' };
  expect(() => new Caller(row)).toThrow(/Caller\({ scope }\): there is no such option\..* Did you mean scopes\?/s);
  expect(new Caller({ ...row, scopes: ['a'] }).scopes).toEqual(['a']);
  expect(() => new Caller(Object.assign(new User('ada'), { roels: [] }))).toThrow('Did you mean roles?');
});

it('a token without a claim is that of a caller without roles', async () => {
  const id = await issuer({ audience: 'https://example.com/mcp' });
  const { verify } = jwt({
    issuer: id.url,
    resource: 'https://example.com/mcp',
    caller: (claims) => ({ roles: claims['groups'] as string[] }),
  });
  const request = { method: 'POST', url: new URL(url), headers: {} } as never;
  const caller = await verify(id.token({ sub: 'ada', claims: { groups: null } }), request);
  expect(caller).toMatchObject({ id: 'ada', roles: [] });
  await id.close();
});

it.each<[string, object]>([
  ['of a program', { type: 'stdio', args: ['a'], env: {}, disabled: false, autoApprove: [], timeout: 60 }],
  ['with an empty folder', { cwd: '', env: null, args: null, dev: {} }],
  ['with a folder that is a URL', { cwd: new URL('file:///') }],
])('an entry of a file of servers is a target: %s', async (_title, entry) => {
  const target = { command: 'sigil-has-no-such-program', ...entry } as never;
  await expect(connectClient(target)).rejects.toMatchObject({ code: 'SIGIL_CLIENT_NOT_STARTED' });
  await expect(connect(target)).rejects.toMatchObject({ code: 'SIGIL_CLIENT_NOT_STARTED' });
});

it('what gives tokens to a client may have state of its own', async () => {
  const connecting = (auth: object) => connectClient({ url }, { auth: { token: 'a', ...auth } });
  await expect(connecting({ cache: new Map() })).rejects.toMatchObject({ code: 'SIGIL_CLIENT_UNREACHABLE' });
  await expect(connecting({ onChalenge: 1 })).rejects.toThrow('Did you mean onChallenge?');
});

it('an error about options of a call reads as a sentence', async () => {
  const memory = new MemoryTransport();
  const server = serverWith({});
  await server.listen(memory);
  const client = await connectClient({ memory });
  await expect(client.callTool('hello', {}, { timeot: 1 } as never)).rejects.toThrow(
    /^a request of tools\/call\(\) has a definition error:\s+1\. a request of tools\/call\({ timeot }\): there is no such option\./,
  );
  await client.close();
  await server.close();
});

it.each<[object]>([[{ type: 'http' }], [{ headers: null, disabled: false }]])(
  'an entry with a URL is a target: %j',
  async (entry) => {
    const target = { url, ...entry } as never;
    await expect(connectClient(target)).rejects.toMatchObject({ code: 'SIGIL_CLIENT_UNREACHABLE' });
  },
);

it.each<[string, object]>([
  ['systemPrompt', { systemPrompt: '' }],
  ['includeContext', { includeContext: 'none' }],
  ['_meta', { _meta: { 'com.example/a': 1 } }],
])('a question may have %s', async (_name, options) => {
  const ask = tool('ask', { description: 'Asks' }, (_input: undefined, context: McpContext) =>
    context.sample('Hi', options).then((answer) => answer.text),
  );
  const client = await connect(serverWith({ features: [ask] }), {
    answers: () => ({ role: 'assistant', content: { type: 'text', text: 'ho' }, model: 'a' }),
  });
  expect(await client.callTool('ask')).toMatchObject({ content: [{ text: 'ho' }] });
  await client.close();
});

class Shared {
  readonly timeout = 500;
  readonly tenant = 'a';
}

it.each<[string, object]>([
  ['a trace', { timeout: 500, traceId: 'a' }],
  ['options of the official SDK', { maxTotalTimeout: 500, resetTimeoutOnProgress: true }],
  ['an instance of a class', new Shared()],
  ['null', { timeout: null, meta: null, signal: null, onProgress: null, onTask: null }],
])('options of calls may be shared: with %s', async (_title, options) => {
  const memory = new MemoryTransport();
  const server = serverWith({});
  await server.listen(memory);
  const client = await connectClient({ memory });
  expect(await client.callTool('hello', {}, options)).toMatchObject({ content: [{ text: 'hello' }] });
  const subscription = await client.subscribe({ toolsListChanged: true }, () => undefined, options);
  await subscription.close();
  await client.close();
  await server.close();
});

it('a module may be an instance of a class with state of its own', async () => {
  class Billing {
    readonly name = 'billing';
    readonly features = [hello];
    readonly db = new Map();
  }
  const client = await connect(createServer({ ...named, modules: [new Billing()] }));
  expect(await client.callTool('hello')).toMatchObject({ content: [{ text: 'hello' }] });
  await client.close();
  const misspelt = Object.assign(new Billing(), { scope: ['a'] });
  expect(() => createServer({ ...named, modules: [misspelt] })).toThrow('Did you mean scopes?');
  expect(() => createServer({ ...named, modules: [{ name: 'a', db: 1 } as never] })).toThrow(
    'module a: defineModule({ db }): there is no such option.',
  );
});

it('a provider may be an instance of a class with state of its own', () => {
  class Database {
    readonly provide = 'db';
    readonly useFactory = (): object => this;
    readonly address = 'a';
  }
  expect(() => serverWith({ providers: [new Database()] })).not.toThrow();
  const misspelt = Object.assign(new Database(), { scop: 'request' });
  expect(() => serverWith({ providers: [misspelt] })).toThrow('Did you mean scope?');
});

it('observers, and what verifies tokens, may have state of their own', async () => {
  const observer = {
    count: 0,
    store: new Map(),
    onStop: null,
    requestStarted() {
      this.count++;
    },
  };
  const client = await connect(serverWith({ observers: [observer] }));
  await client.callTool('hello');
  await client.close();
  expect(observer.count).toBeGreaterThan(0);
  const auth = { verify: () => undefined, cache: new Map(), name: 'own', resource: url, authorizationServers: [url] };
  expect(() => createHttpHandler(serverWith({}), { auth })).not.toThrow();
});

it('empty texts, bytes and URLs are passed on as before', async () => {
  const website = new URL('https://example.com/');
  const icons = [{ src: website, purpose: 'any' }];
  const server = serverWith({
    title: '',
    websiteUrl: website,
    icons,
    requestState: { secrets: [Buffer.alloc(32, 1)] },
    features: undefined,
    modules: [{ name: '', features: [tool('hi', { title: '', description: 'Says hi', icons } as never, () => 'hi')] }],
  });
  const clientInfo = { name: 'a', version: '', title: '', scripts: {} };
  const client = await connect(server, { clientInfo });
  expect(await client.listTools()).toMatchObject({
    tools: [{ name: 'hi', title: '', icons: [{ src: website.href }] }],
  });
  expect(client.traffic.map(({ text: sent }) => sent).join('')).toContain('"websiteUrl":"https://example.com/"');
  await client.close();
  expect(new Denial('No.', { challenge: '' }).challenge).toBe('');
  expect(() => createFact({ label: '' })).not.toThrow();
});

it('pieces of contents may be rows of a database', () => {
  const row = { data: 'a', size: 1, title: 'b' };
  expect(contents(row, row).pieces).toEqual([row, row]);
  expect(() => contents({ content: 'a' } as never)).toThrow('contents({ content }): there is no such option.');
});

it('a client may describe itself by its package.json, with capabilities of other revisions', async () => {
  // The file of a package has many members.
  const clientInfo = JSON.parse(readFileSync(join(__dirname, '../../../package.json'), 'utf8')) as never;
  const connecting = connectClient({ url }, { clientInfo, capabilities: { tasks: { list: {} } } as never });
  await expect(connecting).rejects.toMatchObject({ code: 'SIGIL_CLIENT_UNREACHABLE' });
});

it('texts are made of each item of a list', () => {
  expect(['a', 'b', 'c'].map(text as (value: string) => object)).toMatchObject([
    { text: 'a' },
    { text: 'b' },
    { text: 'c' },
  ]);
});
