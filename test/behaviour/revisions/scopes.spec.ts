/** One fact of an entry decides who sees it, who may use it, and what they are told, for every primitive, on every revision. */
import {
  Authenticated,
  Caller,
  Complete,
  Feature,
  ListTemplate,
  Prompt,
  Public,
  Resource,
  Roles,
  Scopes,
  Tool,
  UseGuards,
  createServer,
  defineModule,
  prompt,
  resource,
  tool,
  type Call,
  type Guard,
  type Interceptor,
  type ListedResource,
  type Server,
  type ServerOptions,
} from '@sigil-mcp/core';
import type { TestClient } from '@sigil-mcp/testing';
import { IsString } from 'class-validator';
import { eachRevision } from './checked';

class NoteId {
  @IsString() id!: string;
}

const onlyAda: Guard = { allows: ({ caller }) => caller.id === 'ada' };

@Feature()
@Scopes('notes:read')
class Notes {
  @Tool('Says what this is') @Public() about(caller: Caller): string {
    return `notes for ${caller.kind}`;
  }

  @Tool('Lists notes') list(): string {
    return 'notes';
  }

  @Tool('Adds a note') @Scopes('notes:write', 'audit') add(): string {
    return 'added';
  }

  @Tool('Purges') @Scopes('notes:write') @UseGuards(Roles('admin', 'owner')) purge(): string {
    return 'purged';
  }

  @Tool('Is a secret of those who may') @Scopes('vault', { listed: false }) vault(): string {
    return 'gold';
  }

  @Tool('Is for Ada') @Scopes('notes:write') @UseGuards(onlyAda) adas(): string {
    return 'hers';
  }

  @Resource('note://index') index(): string {
    return 'index';
  }

  @Resource('note://notes/{id}') @Scopes('notes:deep') note({ id }: NoteId): string {
    return id;
  }

  @ListTemplate('note') notes(): ListedResource[] {
    return [{ variables: { id: 'one' } }];
  }

  @Complete('id', 'note') ids(): string[] {
    return ['one'];
  }

  @Prompt('Sums up') @Scopes('notes:write') sum({ id }: NoteId): string {
    return id;
  }

  @Complete('id', 'sum') sumIds(): string[] {
    return ['two'];
  }
}

const notes = (options: Partial<ServerOptions> = {}): Server =>
  createServer({ name: 'notes', version: '1.0.0', features: [Notes], logger: false, ...options });

const wants = (scope: string) => ({
  code: -32600,
  message: expect.stringContaining(scope) as string,
  data: { error: 'insufficient_scope', scope },
});
const names = (list: unknown): string[] => (list as { name: string }[]).map(({ name }) => name);
const tools = async (client: TestClient): Promise<string[]> => names((await client.listTools())['tools']);
const unknown = { code: -32602, message: expect.stringContaining('Unknown') as string };

describe('a caller who lacks scopes', () => {
  eachRevision('receives all scopes of the operation, of class and method [AUTH-016]', async ({ connect }) => {
    const client = await connect(notes(), { as: { scopes: ['notes:read'] } });
    expect(await client.callTool('list')).toMatchObject({ content: [{ text: 'notes' }] });
    await expect(client.callTool('add')).rejects.toMatchObject(wants('notes:read notes:write audit'));
    await expect(client.getPrompt('sum', { id: 'x' })).rejects.toMatchObject(wants('notes:read notes:write'));
    await expect(client.readResource('note://notes/x')).rejects.toMatchObject(wants('notes:read notes:deep'));
    expect(await client.readResource('note://index')).toMatchObject({ contents: [{ text: 'index' }] });
    const able = await connect(notes(), { as: { scopes: ['audit', 'notes:write', 'notes:read', 'notes:deep'] } });
    expect(await able.callTool('add')).toMatchObject({ content: [{ text: 'added' }] });
    expect(await able.getPrompt('sum', { id: 'x' })).toMatchObject({ messages: [{ content: { text: 'x' } }] });
    expect(await able.readResource('note://notes/x')).toMatchObject({ contents: [{ text: 'x' }] });
  });

  eachRevision('gets no completions of it, and no changes', async ({ connect, revision }) => {
    const client = await connect(notes(), { as: { scopes: ['notes:read'] } });
    const template = { template: 'note://notes/{id}' };
    await expect(client.complete(template, 'id', '')).rejects.toMatchObject(wants('notes:read notes:deep'));
    await expect(client.complete({ prompt: 'sum' }, 'id', '')).rejects.toMatchObject(wants('notes:read notes:write'));
    const able = await connect(notes(), { as: { scopes: ['notes:read', 'notes:write', 'notes:deep'] } });
    expect(await able.complete(template, 'id', '')).toMatchObject({ completion: { values: ['one'] } });
    expect(await able.complete({ prompt: 'sum' }, 'id', '')).toMatchObject({ completion: { values: ['two'] } });
    if (revision === '2026-07-28') {
      const resourceSubscriptions = ['note://index', 'note://notes/x', 'note://notes/y'];
      await expect(
        client.request('subscriptions/listen', { notifications: { resourceSubscriptions } }),
      ).rejects.toMatchObject(wants('notes:read notes:deep'));
    } else {
      const subscribe = (who: TestClient, uri: string) => who.request('resources/subscribe', { uri });
      await expect(subscribe(client, 'note://notes/x')).rejects.toMatchObject(wants('notes:read notes:deep'));
      expect(await subscribe(able, 'note://notes/x')).toEqual({});
    }
  });

  eachRevision(
    'sees what more scopes could open, and not what is hidden from such or by roles and guards [TOOL-002, CACHE-005]',
    async ({ connect, revision }) => {
      const client = await connect(notes(), { as: { scopes: [] } });
      expect(await tools(client)).toEqual(['about', 'list', 'add']);
      expect(names((await client.listResourceTemplates())['resourceTemplates'])).toEqual(['note']);
      // What is under a template is as good as what can be read of it.
      expect(names((await client.listResources())['resources'])).toEqual(['index']);
      expect(names((await client.listPrompts())['prompts'])).toEqual(['sum']);
      if (revision === '2026-07-28') expect(await client.listTools()).toMatchObject({ cacheScope: 'private' });
      const ada = await connect(notes(), {
        as: { id: 'ada', scopes: ['vault', 'notes:read', 'notes:deep'], roles: ['owner'] },
      });
      expect(await tools(ada)).toEqual(['about', 'list', 'add', 'purge', 'vault', 'adas']);
      expect(names((await ada.listResources())['resources'])).toEqual(['index', 'note']);
    },
  );

  eachRevision(
    'learns nothing about entries that roles and guards refuse, and a role is no scope [RSRC-012]',
    async ({ connect }) => {
      const client = await connect(notes(), { as: { scopes: ['admin'] } });
      await expect(client.callTool('purge')).rejects.toMatchObject(unknown);
      await expect(client.callTool('adas')).rejects.toMatchObject(unknown);
      const admin = await connect(notes(), { as: { roles: ['admin'] } });
      await expect(admin.callTool('purge')).rejects.toMatchObject(wants('notes:read notes:write'));
    },
  );
});

describe('an anonymous caller', () => {
  const as = { kind: 'anonymous' } as const;

  eachRevision('has what is public, and is told of nothing else', async ({ connect }) => {
    const client = await connect(notes(), { as });
    expect(await tools(client)).toEqual(['about']);
    expect((await client.listResources())['resources']).toEqual([]);
    expect((await client.listResourceTemplates())['resourceTemplates']).toEqual([]);
    expect((await client.listPrompts())['prompts']).toEqual([]);
    expect(await client.callTool('about')).toMatchObject({ content: [{ text: 'notes for anonymous' }] });
    const refused = { code: -32600, message: expect.stringContaining('This request needs a token') as string };
    for (const name of ['list', 'adas', 'nothing']) await expect(client.callTool(name)).rejects.toMatchObject(refused);
    await expect(client.readResource('note://index')).rejects.toMatchObject(refused);
    await expect(client.readResource('note://nothing/at/all')).rejects.toMatchObject(refused);
    await expect(client.getPrompt('sum', { id: 'x' })).rejects.toMatchObject(refused);
    await expect(client.complete({ prompt: 'sum' }, 'id', '')).rejects.toMatchObject(refused);
  });

  eachRevision('who is nobody in particular lacks scopes, as a client without `as` does', async ({ connect }) => {
    const client = await connect(notes());
    await expect(client.callTool('list')).rejects.toMatchObject(wants('notes:read'));
    expect(await client.callTool('about')).toMatchObject({ content: [{ text: 'notes for anonymous' }] });
  });
});

describe('a local caller', () => {
  eachRevision('has every scope and role, unless somebody says which', async ({ connect }) => {
    const local = await connect(notes(), { as: { id: 'me', kind: 'local' } });
    expect(await local.callTool('purge')).toMatchObject({ content: [{ text: 'purged' }] });
    expect(await local.callTool('vault')).toMatchObject({ content: [{ text: 'gold' }] });
    const limited = await connect(notes(), { as: { kind: 'local', scopes: ['notes:read'], roles: [] } });
    await expect(limited.callTool('add')).rejects.toMatchObject(wants('notes:read notes:write audit'));
    await expect(limited.callTool('purge')).rejects.toMatchObject(unknown);
  });
});

describe('what is wanted', () => {
  const answer = () => 'ok';
  const description = 'Answers';

  eachRevision('adds up over server, modules, data and functions', async ({ connect }) => {
    const inner = defineModule({
      scopes: ['inner'],
      features: [
        tool('deep', { description, scopes: ['own'] }, answer),
        resource('deep://one', { name: 'one', scopes: ['own', 'inner'] }, answer),
        prompt('open', { description, public: true }, answer),
      ],
    });
    const outer = defineModule({ scopes: ['outer', { listed: false }], modules: [inner] });
    const server = notes({ scopes: ['server'], modules: [outer], features: [tool('plain', { description }, answer)] });
    server.registry.add({ kind: 'tool', name: 'late', description, scopes: ['own'], handler: answer });
    const client = await connect(server, { as: { scopes: [] } });
    await expect(client.callTool('deep')).rejects.toMatchObject(wants('server outer inner own'));
    await expect(client.readResource('deep://one')).rejects.toMatchObject(wants('server outer inner own'));
    await expect(client.callTool('plain')).rejects.toMatchObject(wants('server'));
    await expect(client.callTool('late')).rejects.toMatchObject(wants('server own'));
    expect(await client.getPrompt('open')).toMatchObject({ messages: [{ content: { text: 'ok' } }] });
    expect(await tools(client)).toEqual(['plain', 'late']);
    const [deep] = [...server.registry.entries('tool')].filter(({ key }) => key === 'deep');
    expect(deep?.policy).toEqual({
      scopes: ['server', 'outer', 'inner', 'own'],
      isPublic: false,
      isListed: false,
      roles: [],
    });
  });

  eachRevision('is listed, where the revision has a place for it', async ({ connect, revision }) => {
    const own = { securitySchemes: [{ type: 'own' }], 'x.example/y': 1 };
    const server = notes({
      features: [
        tool('open', { description, public: true }, answer),
        tool('scoped', { description, scopes: ['a', 'b'] }, answer),
        tool('own', { description, scopes: ['a'], meta: own }, answer),
        tool('plain', { description }, answer),
        prompt('ask', { description, scopes: ['a'] }, answer),
        resource('own://a', { name: 'a', scopes: ['a'] }, answer),
        resource('own://{id}', { name: 'b', public: true }, answer),
      ],
    });
    const client = await connect(server, { as: 'ada' });
    const metas = (list: unknown): unknown[] => (list as { _meta?: unknown }[]).map(({ _meta }) => _meta);
    const [noauth, one] = [
      { securitySchemes: [{ type: 'noauth' }] },
      { securitySchemes: [{ type: 'oauth2', scopes: ['a'] }] },
    ];
    const listed = [noauth, { securitySchemes: [{ type: 'oauth2', scopes: ['a', 'b'] }] }, own, undefined];
    const hasMeta = revision >= '2025-06-18';
    expect(metas((await client.listTools())['tools'])).toEqual(hasMeta ? listed : Array(4).fill(undefined));
    expect(metas((await client.listPrompts())['prompts'])).toEqual([hasMeta ? one : undefined]);
    expect(metas((await client.listResources())['resources'])).toEqual([hasMeta ? one : undefined]);
    expect(metas((await client.listResourceTemplates())['resourceTemplates'])).toEqual([hasMeta ? noauth : undefined]);
  });

  eachRevision('may change while the server runs, and counts at once', async ({ connect }) => {
    const server = notes({ features: [tool('plain', { description, guards: [Authenticated()] }, answer)] });
    const client = await connect(server, { as: { scopes: ['one'] } });
    expect(await client.callTool('plain')).toMatchObject({ content: [{ text: 'ok' }] });
    server.registry.update('tool', 'plain', { scopes: ['one', 'two', { listed: false }] });
    await expect(client.callTool('plain')).rejects.toMatchObject(wants('one two'));
    expect(await tools(client)).toEqual([]);
    server.registry.update('tool', 'plain', { scopes: ['one'] });
    expect(await tools(client)).toEqual(['plain']);
    const nobody = await connect(server);
    await expect(nobody.callTool('plain')).rejects.toMatchObject(unknown);
  });

  eachRevision('counts for who has subscribed before', async ({ connect, revision }) => {
    const server = notes({
      features: [resource('own://a', { name: 'a' }, answer), tool('plain', { description }, answer)],
    });
    const [able, client] = [await connect(server, { as: { scopes: ['x'] } }), await connect(server, { as: 'ada' })];
    for (const one of [able, client]) {
      if (revision < '2026-07-28') await one.request('resources/subscribe', { uri: 'own://a' });
      else {
        const notifications = { resourceSubscriptions: ['own://a'], toolsListChanged: true };
        one.request('subscriptions/listen', { notifications }).catch(() => undefined);
        await one.waitForNotification('notifications/subscriptions/acknowledged');
      }
    }
    const updated = (one: TestClient): number => one.notifications('notifications/resources/updated').length;
    server.notifyResourceChanged('own://a');
    expect([updated(able), updated(client)]).toEqual([1, 1]);
    server.registry.update('resource', 'own://a', { scopes: ['x'] });
    server.notifyResourceChanged('own://a');
    server.registry.update('resource', 'own://a', { scopes: ['x'], guards: [Roles('admin')] });
    server.notifyResourceChanged('own://a');
    server.registry.disable('tool', 'plain');
    await client.waitForNotification('notifications/tools/list_changed');
    expect([updated(able), updated(client)]).toEqual([2, 1]);
  });

  eachRevision('is seen by interceptors of the server, refusals included', async ({ connect }) => {
    const seen: string[] = [];
    const audit: Interceptor = {
      async intercept(call: Call, next: () => Promise<unknown>): Promise<unknown> {
        return next().catch((error: Error) => {
          seen.push(`${String(call.entry?.policy.scopes)}: ${error.message}`);
          throw error;
        });
      },
    };
    const client = await connect(notes({ interceptors: [audit] }), { as: 'ada' });
    await expect(client.callTool('list')).rejects.toMatchObject(wants('notes:read'));
    expect(seen).toEqual(['notes:read: This request needs the scope notes:read.']);
  });

  eachRevision('of a subclass is what stands nearest, and inherited methods keep theirs', async ({ connect }) => {
    @Feature()
    @Scopes('base')
    class Base {
      @Tool('One') @Scopes('one') one(): string {
        return '1';
      }
    }
    @Feature()
    @Public()
    class Sub extends Base {
      @Tool('Two') two(): string {
        return '2';
      }
    }
    const client = await connect(notes({ features: [Sub] }), { as: 'ada' });
    await expect(client.callTool('one')).rejects.toMatchObject(wants('one'));
    expect(await client.callTool('two')).toMatchObject({ content: [{ text: '2' }] });
  });
});
