/** Guards and interceptors stand on the server, on classes and on methods, and see every primitive, on every revision. */
import {
  Complete,
  Denial,
  Feature,
  Inject,
  Injectable,
  Prompt,
  Resource,
  Tool,
  UseGuards,
  UseInterceptors,
  createServer,
  type Call,
  type Access,
  type EntryFacts,
  type Guard,
  type Interceptor,
  type Server,
  type ServerOptions,
} from '@sigil-mcp/core';
import type { CallToolResult } from '@sigil-mcp/protocol';
import { IsString } from 'class-validator';
import { eachRevision } from './checked';

class Topic {
  @IsString() topic!: string;
}

/** Lets a named client in; its secret comes from the container. */
@Injectable()
class NamedClient implements Guard {
  constructor(@Inject('FRIEND') private readonly friend: string) {}

  allows({ client }: Access): boolean {
    return client.name === this.friend;
  }
}

/** Says why, and only for calls with a certain argument. */
const noWar: Guard = {
  allows: () => true,
  allowsCall: (call: Call) =>
    JSON.stringify(call.arguments).includes('war') ? new Denial('Not that topic.', { code: 4001 }) : true,
};

const hidden: Guard = {
  allows: (_access: Access, entry: EntryFacts) => entry.key !== 'secret' && entry.key !== 'club://secret',
};

class Diary {
  readonly lines: string[] = [];
}

@Injectable()
class Shout implements Interceptor {
  constructor(private readonly diary: Diary) {}

  async intercept(call: Call, next: () => Promise<unknown>): Promise<unknown> {
    this.diary.lines.push(`shout ${String(call.entry?.key)}`);
    return String(await next()).toUpperCase();
  }
}

@Injectable()
class Audit implements Interceptor {
  constructor(private readonly diary: Diary) {}

  async intercept(call: Call, next: () => Promise<unknown>): Promise<unknown> {
    const about = `${call.method} ${String(call.entry?.key)}`;
    this.diary.lines.push(`> ${about}`);
    try {
      return await next();
    } catch (error) {
      this.diary.lines.push(`! ${about} ${(error as Error).message}`);
      throw error;
    } finally {
      this.diary.lines.push(`< ${about}`);
    }
  }
}

@Feature()
@UseGuards(hidden)
class Club {
  @Tool('Everybody may')
  @UseGuards(noWar)
  @UseInterceptors(Shout)
  say({ topic }: Topic): string {
    return topic;
  }

  @Tool('Members only')
  @UseGuards(NamedClient)
  members(): string {
    return 'hello';
  }

  @Tool('Nobody may', { name: 'secret' })
  secretTool(): string {
    return 'never';
  }

  @Resource('club://rules')
  rules(): string {
    return 'no talking';
  }

  @Resource('club://secret')
  secretResource(): string {
    return 'never';
  }

  @Resource('club://rooms/{topic}')
  @UseGuards(NamedClient)
  room({ topic }: Topic): string {
    return topic;
  }

  @Prompt('For members')
  @UseGuards(NamedClient)
  invite({ topic }: Topic): string {
    return topic;
  }

  @Complete('topic', 'invite')
  topics(): string[] {
    return ['chess'];
  }
}

const FRIEND = { clientInfo: { name: 'friend', version: '1' } };

function club(diary: Diary, options: Partial<ServerOptions> = {}): Server {
  const providers = [
    { provide: 'FRIEND', useValue: 'friend' },
    { provide: Diary, useValue: diary },
  ];
  return createServer({ name: 'club', version: '1.0.0', features: [Club], providers, logger: false, ...options });
}

const names = (list: unknown): string[] => (list as { name: string }[]).map(({ name }) => name);

describe('guards', () => {
  eachRevision('filter every list for the caller [CACHE-005, TOOL-002, RSRC-012]', async ({ connect, revision }) => {
    const server = club(new Diary());
    const [stranger, friend] = [await connect(server), await connect(server, FRIEND)];
    expect(names((await stranger.listTools())['tools'])).toEqual(['say']);
    expect(names((await friend.listTools())['tools'])).toEqual(['say', 'members']);
    expect(names((await stranger.listResources())['resources'])).toEqual(['rules']);
    expect((await stranger.listResourceTemplates())['resourceTemplates']).toEqual([]);
    expect(names((await friend.listResourceTemplates())['resourceTemplates'])).toEqual(['room']);
    expect((await stranger.listPrompts())['prompts']).toEqual([]);
    expect(names((await friend.listPrompts())['prompts'])).toEqual(['invite']);
    if (revision === '2026-07-28') expect(await friend.listTools()).toMatchObject({ cacheScope: 'private' });
  });

  eachRevision(
    'make what they refuse look as if it did not exist [RSRC-012, COMPL-007, CACHE-006]',
    async ({ connect, revision }) => {
      const server = club(new Diary(), { cache: { ttlMs: 1000, cacheScope: 'public' } });
      const [stranger, friend] = [await connect(server), await connect(server, FRIEND)];
      await expect(stranger.callTool('members')).rejects.toMatchObject({
        code: -32602,
        message: 'Unknown tool: members',
      });
      await expect(stranger.callTool('secret')).rejects.toMatchObject({
        code: -32602,
        message: 'Unknown tool: secret',
      });
      const missing = { code: revision < '2026-07-28' ? -32002 : -32602, data: { uri: 'club://rooms/chess' } };
      await expect(stranger.readResource('club://rooms/chess')).rejects.toMatchObject(missing);
      await expect(stranger.getPrompt('invite', { topic: 'x' })).rejects.toMatchObject({
        code: -32602,
        message: 'Unknown prompt: invite',
      });
      await expect(stranger.complete({ prompt: 'invite' }, 'topic', '')).rejects.toMatchObject({
        code: -32602,
        message: 'Unknown prompt: invite',
      });
      expect(await friend.callTool('members')).toMatchObject({ content: [{ text: 'hello' }] });
      expect(await friend.complete({ prompt: 'invite' }, 'topic', '')).toMatchObject({
        completion: { values: ['chess'] },
      });
      const read = await friend.readResource('club://rooms/chess');
      expect(read).toMatchObject({
        contents: [{ text: 'chess' }],
        ...(revision === '2026-07-28' && { cacheScope: 'private' }),
      });
    },
  );

  eachRevision('may say why, and look at the raw arguments of a call', async ({ connect }) => {
    const client = await connect(club(new Diary()));
    await expect(client.callTool('say', { topic: 'war' })).rejects.toMatchObject({
      code: 4001,
      message: 'Not that topic.',
    });
    expect(await client.callTool('say', { topic: 'tea' })).toMatchObject({ content: [{ text: 'TEA' }] });
  });

  eachRevision('of the server stand before all others', async ({ connect }) => {
    const client = await connect(
      club(new Diary(), { guards: [{ allows: (_caller, entry) => entry.kind === 'resource' }] }),
    );
    expect((await client.listTools())['tools']).toEqual([]);
    await expect(client.callTool('say', { topic: 'tea' })).rejects.toMatchObject({ code: -32602 });
    expect(names((await client.listResources())['resources'])).toEqual(['rules']);
  });

  eachRevision(
    'of the server refuse before those of the class, and these before those of the method',
    async ({ connect }) => {
      const asked: string[] = [];
      /** Refuses the tools that name it. */
      const guard = (place: string): Guard => ({
        allows: (_caller, entry) => {
          asked.push(place);
          return entry.key.includes(place) ? new Denial(`Refused by the ${place}.`) : true;
        },
      });
      @Feature()
      @UseGuards(guard('class'))
      class Gates {
        @Tool('Nobody passes', { name: 'server-class-method' })
        @UseGuards(guard('method'))
        all(): void {}

        @Tool('One gate is open', { name: 'class-method' })
        @UseGuards(guard('method'))
        two(): void {}

        @Tool('Everybody passes', { name: 'open' })
        @UseGuards(guard('method'))
        none(): void {}
      }
      const client = await connect(
        createServer({ name: 'gates', version: '1.0.0', features: [Gates], guards: [guard('server')], logger: false }),
      );
      await expect(client.callTool('server-class-method')).rejects.toMatchObject({ message: 'Refused by the server.' });
      await expect(client.callTool('class-method')).rejects.toMatchObject({ message: 'Refused by the class.' });
      expect(asked).toEqual(['server', 'server', 'class']);
      asked.length = 0;
      expect(await client.callTool('open')).toMatchObject({ isError: false });
      expect(asked).toEqual(['server', 'class', 'method']);
    },
  );

  eachRevision('that answer later are waited for, and one that fails refuses [TOOL-025]', async ({ connect }) => {
    const slow: Guard = { allows: (_caller, entry) => Promise.resolve(entry.key !== 'say') };
    const client = await connect(club(new Diary(), { guards: [slow] }));
    await expect(client.callTool('say', { topic: 'tea' })).rejects.toMatchObject({ code: -32602 });
    expect(names((await client.listTools())['tools'])).toEqual([]);
    const broken: Guard = {
      allows: () => {
        throw new Error('database gone');
      },
    };
    const other = await connect(club(new Diary(), { guards: [broken] }));
    expect(await other.callTool('say', { topic: 'tea' })).toMatchObject({ isError: true });
    await expect(other.listTools()).rejects.toMatchObject({ code: -32603 });
  });
});

describe('interceptors', () => {
  eachRevision(
    'of the server wrap every method, lists, refusals and invalid arguments included',
    async ({ connect, revision }) => {
      const diary = new Diary();
      const client = await connect(club(diary, { interceptors: [Audit] }));
      await client.listTools();
      await client.callTool('members').catch(() => undefined);
      await client.callTool('say', { topic: 5 }).catch(() => undefined);
      await client.callTool('say', { topic: 'tea' });
      await client.readResource('club://rules');
      await client.complete({ prompt: 'nobody' }, 'x', '').catch(() => undefined);
      const opening = revision === '2026-07-28' ? 'server/discover' : 'initialize';
      expect(diary.lines.filter((line) => !line.startsWith('!'))).toEqual([
        `> ${opening} undefined`,
        `< ${opening} undefined`,
        '> tools/list undefined',
        '< tools/list undefined',
        '> tools/call members',
        '< tools/call members',
        '> tools/call say',
        '< tools/call say',
        '> tools/call say',
        'shout say',
        '< tools/call say',
        '> resources/read club://rules',
        '< resources/read club://rules',
        '> completion/complete undefined',
        '< completion/complete undefined',
      ]);
      expect(diary.lines.filter((line) => line.startsWith('!'))).toHaveLength(3);
    },
  );

  eachRevision('wrap from the outside in, and may answer themselves', async ({ connect }) => {
    const order: string[] = [];
    const step = (name: string): Interceptor => ({
      intercept: async (_call, next) => {
        order.push(name);
        return next();
      },
    });
    const stop: Interceptor = {
      intercept: (call, next) =>
        call.method === 'tools/call'
          ? Promise.resolve({ content: [{ type: 'text', text: 'mine' }], isError: false })
          : next(),
    };
    const client = await connect(club(new Diary(), { interceptors: [step('first'), step('second'), stop] }));
    order.length = 0;
    expect(await client.callTool('say', { topic: 'tea' })).toMatchObject({ content: [{ text: 'mine' }] });
    expect(order).toEqual(['first', 'second']);
  });

  eachRevision(
    'of the server change the data of a tool, and the changed data is what travels [TOOL-011]',
    async ({ connect, revision }) => {
      const censor: Interceptor = {
        intercept: async (call, next) => {
          const result = (await next()) as CallToolResult;
          if (call.entry?.key !== 'diary') return result;
          const structuredContent = { ...(result.structuredContent as object), secret: 'struck out' };
          // The words are still those of before: the data alone tells of the change.
          return { ...result, structuredContent };
        },
      };
      @Feature()
      class Diaries {
        @Tool('Tells too much')
        diary(): object {
          return { day: 'Monday', secret: 'the cake' };
        }
      }
      const options = { name: 'diaries', version: '1.0.0', features: [Diaries], logger: false } as const;
      const client = await connect(createServer({ ...options, interceptors: [censor] }));
      const { structuredContent } = await client.callTool('diary');
      if (revision < '2025-06-18') expect(structuredContent).toBeUndefined();
      else expect(structuredContent).toEqual({ day: 'Monday', secret: 'struck out' });
    },
  );

  eachRevision('that call next twice are told so in the log, and masked for the client', async ({ connect }) => {
    const logged: string[] = [];
    const logger = {
      debug() {},
      info() {},
      warn() {},
      error: (fields: object) => void logged.push((fields as { err: Error }).err.message),
    };
    class Twice implements Interceptor {
      async intercept(call: Call, next: () => Promise<unknown>): Promise<unknown> {
        await next();
        return call.method === 'tools/call' ? next() : undefined;
      }
    }
    const client = await connect(club(new Diary()));
    expect(await client.callTool('say', { topic: 'tea' })).toMatchObject({ isError: false });
    @Feature()
    class Hasty {
      @Tool('Twice') @UseInterceptors(Twice) twice(): string {
        return 'x';
      }
    }
    const other = await connect(createServer({ name: 'hasty', version: '1.0.0', features: [Hasty], logger }));
    expect(await other.callTool('twice')).toMatchObject({ isError: true });
    expect(logged).toEqual([expect.stringContaining('Twice called next() twice')]);
  });
});
