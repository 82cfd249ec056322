/** What is made for a call: once, of the caller and the call, for whoever asks in it, released when it is over; on every revision. */
import { inspect } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';
import {
  Complete,
  Feature,
  Inject,
  Injectable,
  ListTemplate,
  McpContext,
  Prompt,
  Resource,
  Tool,
  UseGuards,
  UseInterceptors,
  createServer,
  type Call,
  type Guard,
  type Interceptor,
  type OnStart,
  type OnStop,
  type Server,
} from '@sigil-mcp/core';
import { matchers } from '@sigil-mcp/testing';
import { IsString } from 'class-validator';
import { turn } from '../../support/turn';
import { eachRevision } from './checked';

expect.extend(matchers);

/** What happened, in the order in which it did. */
class Diary {
  readonly lines: string[] = [];
}

@Injectable({ scope: 'request' })
class Tenant implements OnStart, OnStop {
  readonly name: string;

  constructor(
    context: McpContext,
    private readonly diary: Diary,
  ) {
    this.name = String(context.headers['x-tenant'] ?? 'nobody');
    diary.lines.push(`made ${this.name}`);
  }

  async onStart(): Promise<void> {
    await turn();
    this.diary.lines.push(`started ${this.name}`);
  }

  async onStop(): Promise<void> {
    await turn();
    this.diary.lines.push(`stopped ${this.name}`);
  }
}

@Injectable({ scope: 'request' })
class Notes implements OnStop {
  constructor(
    readonly tenant: Tenant,
    @Inject('GREETING') readonly greeting: string,
    private readonly diary: Diary,
  ) {}

  onStop(): void {
    this.diary.lines.push('notes stopped');
  }
}

const withTenant: Guard = {
  allows: async (caller) => (await caller.get(Tenant)).name !== 'shut out',
  allowsCall: async ({ context }: Call) => (await context.get(Tenant)).name !== 'banned',
};

const signed: Interceptor = {
  intercept: async ({ context }, next) => `${String(await next())} (${(await context.get(Tenant)).name})`,
};

class Topic {
  @IsString() topic!: string;
}
class Name {
  @IsString() name!: string;
}

@Feature()
class Office {
  @Tool('Greets')
  @UseGuards(withTenant)
  @UseInterceptors(signed)
  async greet(context: McpContext): Promise<string> {
    const [notes, again] = await Promise.all([context.get(Notes), context.get(Notes)]);
    const tenant = await context.get(Tenant);
    return `${notes.greeting} ${notes.tenant.name} ${String(notes === again && notes.tenant === tenant)}`;
  }

  @Tool('Needs nothing') plain(): string {
    return 'plain';
  }

  @Tool('Asks for a name')
  async ask(context: McpContext): Promise<string> {
    const tenant = await context.get(Tenant);
    const answer = await context.elicit(Name, 'Name?');
    const same = tenant === (await context.get(Tenant));
    return answer.action === 'accept' ? `${answer.content.name} of ${tenant.name} ${String(same)}` : answer.action;
  }

  @Tool('Fails')
  async fail(context: McpContext): Promise<string> {
    await context.get(Tenant);
    throw new Error('no');
  }

  @Tool('Has no time', { timeout: 30 })
  async late(context: McpContext): Promise<string> {
    await context.get(Tenant);
    await delay(10_000, undefined, { signal: context.signal }).catch(() => undefined);
    return 'late';
  }

  @Tool('Asks for what there is not') async unknown(context: McpContext): Promise<string> {
    return context.get<string>('NOTHING');
  }

  @Resource('office://tenant') async tenant(context: McpContext): Promise<string> {
    return (await context.get(Tenant)).name;
  }

  @Resource('office://{topic}') async about({ topic }: Topic, context: McpContext): Promise<string> {
    return `${topic} of ${(await context.get(Tenant)).name}`;
  }

  @ListTemplate('about') async abouts(context: McpContext) {
    return [{ variables: { topic: (await context.get(Tenant)).name } }];
  }

  @Prompt('Writes') async write({ topic }: Topic, context: McpContext): Promise<string> {
    return `${topic} for ${(await context.get(Tenant)).name}`;
  }

  @Complete('topic', 'write') async topics(prefix: string, context: McpContext): Promise<string[]> {
    return [`${prefix} of ${(await context.get(Tenant)).name}`];
  }
}

let diary: Diary;
const logged: string[] = [];
const error = (fields: object): void => void logged.push(inspect(fields));
const office = (): Server => {
  diary = new Diary();
  return createServer({
    name: 'office',
    version: '1.0.0',
    features: [Office],
    providers: [
      Tenant,
      Notes,
      { provide: Diary, useValue: diary },
      {
        provide: 'GREETING',
        scope: 'request',
        useFactory: async (context: McpContext) => `Hi from ${context.client.name}:`,
        inject: [McpContext],
      },
    ],
    logger: { debug: () => undefined, info: () => undefined, warn: () => undefined, error },
  });
};
const headers = { 'x-tenant': 'acme' };
const settled = async (): Promise<readonly string[]> => {
  await turn();
  await turn();
  return diary.lines;
};

describe('what is made for a call', () => {
  eachRevision('is made once, for guards, interceptors and handler, and released after it', async ({ connect }) => {
    const client = await connect(office(), { headers, clientInfo: { name: 'me', version: '1' } });
    expect(await client.callTool('greet')).toHaveText('Hi from me: acme true (acme)');
    expect(await settled()).toEqual(['made acme', 'started acme', 'notes stopped', 'stopped acme']);
    diary.lines.length = 0;
    await client.callTool('plain');
    expect(await settled()).toEqual([]);
  });

  eachRevision('is there for resources, templates, lists, prompts and completions', async ({ connect }) => {
    const client = await connect(office(), { headers });
    expect(await client.readResource('office://tenant')).toHaveText('acme');
    expect(await client.readResource('office://tea')).toHaveText('tea of acme');
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toContain('office://acme');
    expect(await client.getPrompt('write', { topic: 'tea' })).toHaveText('tea for acme');
    expect((await client.complete({ prompt: 'write' }, 'topic', 'x')).completion.values).toEqual(['x of acme']);
    const lines = await settled();
    expect(lines.filter((line) => line === 'stopped acme')).toHaveLength(5);
  });

  eachRevision(
    'is another one for another call and another caller, and there for guards of lists',
    async ({ connect }) => {
      const server = office();
      const [one, two, out] = [
        await connect(server, { headers }),
        await connect(server, { headers: { 'x-tenant': 'ajax' } }),
        await connect(server, { headers: { 'x-tenant': 'shut out' } }),
      ];
      const answers = await Promise.all([one.callTool('greet'), two.callTool('greet'), one.callTool('greet')]);
      expect(answers.map((answer) => JSON.stringify(answer).match(/\((\w+)\)/)?.[1])).toEqual(['acme', 'ajax', 'acme']);
      expect((await settled()).filter((line) => line.startsWith('made'))).toHaveLength(3);
      expect((await out.listTools()).tools.map(({ name }) => name)).not.toContain('greet');
      const banned = await connect(server, { headers: { 'x-tenant': 'banned' } });
      await expect(banned.callTool('greet')).rejects.toThrow('Unknown tool');
      expect(await settled()).toEqual(expect.arrayContaining(['stopped shut out', 'stopped banned']));
    },
  );

  eachRevision('is released where the call fails, and where its time is over', async ({ connect }) => {
    const client = await connect(office(), { headers });
    for (const tool of ['fail', 'late']) {
      diary.lines.length = 0;
      await client.callTool(tool).catch(() => undefined);
      expect(await settled()).toEqual(['made acme', 'started acme', 'stopped acme']);
    }
  });

  eachRevision(
    'is the same while a client is asked, or made anew where the handler begins again',
    async ({ connect, revision }) => {
      const client = await connect(office(), {
        headers,
        answers: () => ({ action: 'accept', content: { name: 'Ada' } }),
      });
      expect(await client.callTool('ask')).toHaveText('Ada of acme true');
      const rounds = revision === '2026-07-28' ? 2 : 1;
      const lines = await settled();
      for (const line of ['made acme', 'started acme', 'stopped acme'])
        expect(lines.filter((each) => each === line)).toHaveLength(rounds);
    },
    { since: '2025-06-18' },
  );

  eachRevision('is refused by its token where nothing provides it', async ({ connect }) => {
    logged.length = 0;
    const client = await connect(office(), { headers });
    expect(await client.callTool('unknown')).toBeToolError(/Internal error/);
    expect(logged).toEqual([
      expect.stringContaining('"NOTHING" was not created: it is not a provider of this server.'),
    ]);
  });

  eachRevision('can be replaced in a test', async ({ connect }) => {
    const fake = office().override([{ provide: Tenant, useValue: { name: 'fake' } }]);
    const client = await connect(fake, { headers });
    expect(await client.readResource('office://tenant')).toHaveText('fake');
    expect(await settled()).toEqual([]);
  });
});
