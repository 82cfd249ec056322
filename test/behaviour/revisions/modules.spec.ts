/** Modules: parts of a server that packages bring, with their own guards, interceptors and names, on every revision. */
import {
  Complete,
  Feature,
  Injectable,
  Prompt,
  Resource,
  Tool,
  UseGuards,
  createServer,
  defineModule,
  type Call,
  type Access,
  type EntryFacts,
  type Guard,
  type Interceptor,
  type Module,
  tool,
} from '@sigil-mcp/core';
import { matchers } from '@sigil-mcp/testing';
import { IsString } from 'class-validator';
import { eachRevision } from './checked';

expect.extend(matchers);

class Query {
  @IsString() text!: string;
}

class Shelf {
  constructor(readonly books: readonly string[]) {}
}

class Diary {
  readonly lines: string[] = [];
}

@Injectable()
class Noted implements Interceptor {
  constructor(private readonly diary: Diary) {}

  async intercept({ entry }: Call, next: () => Promise<unknown>): Promise<unknown> {
    this.diary.lines.push(entry?.key ?? '');
    return next();
  }
}

/** Lets those see who have a card. */
class WithCard implements Guard {
  allows({ headers }: Access): boolean {
    return headers['x-card'] === 'yes';
  }
}

const asked: string[] = [];
const asking = (name: string): Guard => ({
  allows: (_: Access, { key }: EntryFacts) => asked.push(`${name} ${key}`) > 0,
});

@Feature()
class Books {
  constructor(private readonly shelf: Shelf) {}

  @Tool('Finds books') search({ text }: Query): string {
    return this.shelf.books.filter((book) => book.includes(text)).join();
  }

  @Resource('books://all') all(): string {
    return this.shelf.books.join();
  }

  @Resource('books://{text}') one({ text }: Query): string {
    return text;
  }

  @Prompt('Recommends a book') recommend({ text }: Query): string {
    return `Which book about ${text}?`;
  }

  @Complete('text', 'recommend') topics(prefix: string): string[] {
    return ['tea', 'time'].filter((each) => each.startsWith(prefix));
  }
}

@Feature()
class Desk {
  @Tool('Says hello') hello(): string {
    return 'hello';
  }

  @Tool('Finds people') @UseGuards(asking('method')) search(): string {
    return 'nobody';
  }
}

const books = (more: Partial<Module> = {}): Module =>
  defineModule({
    name: 'books',
    prefix: 'books',
    features: [Books],
    providers: [{ provide: Shelf, useValue: new Shelf(['tea', 'war']) }],
    ...more,
  });

const library = (modules: readonly Module[]) =>
  createServer({ name: 'library', version: '1.0.0', features: [Desk], providers: [Diary], modules, logger: false });

describe('a module', () => {
  eachRevision('brings entries whose names begin with its prefix; URIs stay as they are', async ({ connect }) => {
    const client = await connect(library([books()]));
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['hello', 'search', 'books_search']);
    expect(await client.callTool('books_search', { text: 't' })).toHaveText('tea');
    expect(await client.callTool('search')).toHaveText('nobody');
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['books_recommend']);
    expect(await client.getPrompt('books_recommend', { text: 'tea' })).toHaveText('Which book about tea?');
    expect(await client.readResource('books://all')).toHaveText('tea,war');
    expect(await client.readResource('books://tea')).toHaveText('tea');
  });

  eachRevision('completes the arguments of its prompts under their whole names', async ({ connect }) => {
    const client = await connect(library([books()]));
    const { completion } = await client.complete({ prompt: 'books_recommend' }, 'text', 'ti');
    expect(completion.values).toEqual(['time']);
  });

  eachRevision('guards and wraps its own entries, and no others', async ({ connect }) => {
    const diary = new Diary();
    const guarded = books({ guards: [WithCard], interceptors: [Noted] });
    const server = library([guarded]).override([{ provide: Diary, useValue: diary }]);
    const stranger = await connect(server);
    expect((await stranger.listTools()).tools.map(({ name }) => name)).toEqual(['hello', 'search']);
    await expect(stranger.callTool('books_search', { text: 't' })).rejects.toThrow('Unknown tool');
    const member = await connect(server, { headers: { 'x-card': 'yes' } });
    expect(await member.callTool('books_search', { text: 't' })).toHaveText('tea');
    expect(await member.readResource('books://all')).toHaveText('tea,war');
    expect(await member.callTool('hello')).toHaveText('hello');
    expect(diary.lines).toEqual(['books_search', 'books://all']);
  });

  eachRevision(
    'may hold entries that are functions, which are named and guarded as its methods are',
    async ({ connect }) => {
      const hall = defineModule({
        prefix: 'hall',
        guards: [{ allows: ({ caller }) => caller.isAuthenticated }],
        features: [tool('open', { description: 'Opens the hall' }, () => 'open')],
      });
      const server = createServer({ name: 'functions', version: '1.0.0', modules: [hall], logger: false });
      const somebody = await connect(server, { as: 'ada' });
      expect((await somebody.listTools()).tools.map(({ name }) => name)).toEqual(['hall_open']);
      expect(await somebody.callTool('hall_open')).toMatchObject({ content: [{ text: 'open' }] });
      const nobody = await connect(server);
      expect((await nobody.listTools()).tools).toEqual([]);
      server.registry.update('tool', 'hall_open', { description: 'Opens the great hall' });
      expect((await somebody.listTools()).tools).toMatchObject([
        { name: 'hall_open', description: 'Opens the great hall' },
      ]);
      expect((await nobody.listTools()).tools).toEqual([]);
    },
  );

  eachRevision('may hold modules: prefixes and guards add up, from the outside in', async ({ connect }) => {
    asked.length = 0;
    const inner = defineModule({ prefix: 'desk', features: [Desk], guards: [asking('inner')] });
    const outer = defineModule({ prefix: 'hall', modules: [inner], guards: [asking('outer')] });
    const client = await connect(
      createServer({ name: 'x', version: '1', modules: [outer], guards: [asking('server')], logger: false }),
    );
    expect(await client.callTool('hall_desk_search')).toHaveText('nobody');
    expect(asked).toEqual(['server', 'outer', 'inner', 'method'].map((each) => `${each} hall_desk_search`));
  });

  eachRevision('is changed by the names under which it is listed', async ({ connect }) => {
    const server = library([books({ guards: [WithCard] })]);
    const client = await connect(server, { headers: { 'x-card': 'yes' } });
    server.registry.update('tool', 'books_search', { description: 'Finds what you read' });
    server.registry.update('prompt', 'books_recommend', { description: 'Says what to read' });
    expect(await client.listTools()).toMatchObject({
      tools: [{}, {}, { name: 'books_search', description: 'Finds what you read' }],
    });
    expect((await client.listPrompts()).prompts).toMatchObject([
      { name: 'books_recommend', description: 'Says what to read' },
    ]);
    const stranger = await connect(server);
    expect((await stranger.listTools()).tools).toHaveLength(2);
    server.registry.remove(Books);
    expect((await client.listTools()).tools).toHaveLength(2);
  });
});

describe('a server of modules', () => {
  eachRevision('takes a module that several hold once', async ({ connect }) => {
    const shared = books();
    const server = library([shared, defineModule({ modules: [shared] }), shared]);
    const client = await connect(server);
    expect((await client.listTools()).tools).toHaveLength(3);
  });

  eachRevision('may have one class in two modules with prefixes of their own', async ({ connect }) => {
    const [one, two] = ['one', 'two'].map((prefix) => defineModule({ prefix, features: [Desk] }));
    const client = await connect(createServer({ name: 'x', version: '1', modules: [one, two] as Module[] }));
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(['one_hello', 'one_search', 'two_hello', 'two_search']);
  });

  eachRevision('tells interceptors which module an entry is of', async ({ connect }) => {
    const sources: unknown[] = [];
    const listening: Interceptor = {
      intercept: async ({ entry }, next) => {
        if (entry) sources.push(entry.source);
        return next();
      },
    };
    const inner = defineModule({ name: 'desk', prefix: 'd', features: [Desk] });
    const client = await connect(
      createServer({ name: 'x', version: '1', modules: [inner], features: [Desk], interceptors: [listening] }),
    );
    await client.callTool('d_hello');
    await client.callTool('hello');
    expect(sources).toEqual([
      { feature: Desk, member: 'hello', module: 'module desk' },
      { feature: Desk, member: 'hello', module: undefined },
    ]);
  });
});
