/** What templates list behind the resources, on every revision. */
import {
  DefinitionError,
  Feature,
  ListTemplate,
  McpContext,
  MemoryTransport,
  Resource,
  UseGuards,
  createServer,
  type Access,
  type Guard,
  type ListedResource,
  type Server,
  type ServerOptions,
} from '@sigil-mcp/core';
import type { TestClient } from '@sigil-mcp/testing';
import { IsInt, IsString } from 'class-validator';
import { turn } from '../../support/turn';
import { eachRevision } from './checked';

const NEWEST = '2026-07-28';

class BookId {
  @IsInt() id!: number;
}

class FilePath {
  @IsString({ each: true }) path!: string[];
}

/** What the lists of the library return next, and how often they were asked. */
class Shelves {
  books: () => unknown = () => [];
  files: () => unknown = () => [];
  asked: string[] = [];

  ask(what: 'books' | 'files'): readonly ListedResource[] {
    this.asked.push(what);
    // Tests also return what the type of the method forbids.
    return this[what]() as readonly ListedResource[];
  }
}

const members: Guard = { allows: ({ client }: Access) => client.name === 'member' };

@Feature()
class Library {
  constructor(private readonly shelves: Shelves) {}

  @Resource('lib://rules') rules(): string {
    return 'quiet';
  }

  @Resource('lib://books/{id}', {
    name: 'book',
    title: 'A book',
    description: 'One of ours',
    mimeType: 'text/plain',
    annotations: { audience: ['user'] },
    meta: { 'lib.example/kind': 'book' },
  })
  book({ id }: BookId): string {
    return `Book ${id}`;
  }

  @Resource('lib://files{/path*}') file({ path }: FilePath): unknown {
    return path;
  }

  @ListTemplate('book') books(): readonly ListedResource[] {
    return this.shelves.ask('books');
  }

  @ListTemplate('file') async files(context: McpContext): Promise<readonly ListedResource[]> {
    await Promise.resolve();
    expect(context.request.method).toBe('resources/list');
    return this.shelves.ask('files');
  }

  @Resource('lib://hours') hours(): string {
    return '9 to 5';
  }
}

interface LibraryUnderTest {
  readonly server: Server;
  readonly shelves: Shelves;
}

function library(options: Partial<ServerOptions> = {}): LibraryUnderTest {
  const shelves = new Shelves();
  const providers = [{ provide: Shelves, useValue: shelves }];
  const server = createServer({
    name: 'library',
    version: '1.0.0',
    features: [Library],
    providers,
    logger: false,
    cache: { ttlMs: 60_000, cacheScope: 'public' },
    ...options,
  });
  return { server, shelves };
}

const numbered = (count: number) => Array.from({ length: count }, (_, id) => ({ variables: { id } }));
const own = ['lib://rules', 'lib://hours'];

interface Page {
  readonly resources: readonly { readonly uri: string; readonly name: string }[];
  readonly nextCursor?: string;
  readonly cacheScope?: string;
}

async function list(client: TestClient, cursor?: string): Promise<Page> {
  // Every message is checked against the schema of its revision.
  return await client.listResources({ cursor });
}

const urisOf = ({ resources }: Page): string[] => resources.map(({ uri }) => uri);

async function pages(client: TestClient): Promise<string[][]> {
  const all: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = await list(client, cursor);
    all.push(urisOf(page));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return all;
}

const forge = (text: string): string => Buffer.from(text).toString('base64url');

describe('a template that lists', () => {
  eachRevision(
    'has its resources behind those of the registry, in the words of both [RSRC-001]',
    async ({ connect, revision }) => {
      const { server, shelves } = library();
      shelves.books = () => [
        { variables: { id: 7 } },
        {
          uri: 'lib://books/8',
          name: 'Eight',
          mimeType: 'text/markdown',
          size: 5,
          meta: { 'lib.example/kind': 'new' },
        },
        { variables: { id: 9 }, name: 'Nine', title: 'The ninth', description: 'Rare' },
      ];
      shelves.files = () => Promise.resolve([{ variables: { path: ['a b', 'c/d'] } }]);
      const client = await connect(server);
      const page = await list(client);
      expect(page.resources.slice(2)).toMatchObject([
        { uri: 'lib://books/7', name: 'book', description: 'One of ours', mimeType: 'text/plain' },
        { uri: 'lib://books/8', name: 'Eight', mimeType: 'text/markdown', annotations: { audience: ['user'] } },
        { uri: 'lib://books/9', name: 'Nine', description: 'Rare' },
        { uri: 'lib://files/a%20b/c%2Fd', name: 'file' },
      ]);
      expect(urisOf(page).slice(0, 2)).toEqual(own);
      if (revision >= '2025-06-18') {
        expect(page.resources.slice(2).map((one) => 'title' in one && one.title)).toEqual([
          'A book',
          false,
          'The ninth',
          false,
        ]);
        expect(page.resources[3]).toMatchObject({ _meta: { 'lib.example/kind': 'new' } });
      }
      expect(await client.readResource('lib://books/7')).toMatchObject({ contents: [{ text: 'Book 7' }] });
      expect(await client.readResource('lib://files/a%20b/c%2Fd')).toMatchObject({
        contents: [{ text: '["a b","c/d"]' }],
      });
    },
  );

  eachRevision('is asked again for every list, which is never public', async ({ connect, revision }) => {
    const { server, shelves } = library();
    const client = await connect(server);
    expect(urisOf(await list(client))).toEqual(own);
    shelves.books = () => numbered(1);
    const page = await list(client);
    expect(urisOf(page)).toEqual([...own, 'lib://books/0']);
    expect(page.cacheScope).toBe(revision < NEWEST ? undefined : 'private');
    expect(shelves.asked).toEqual(['books', 'files', 'books', 'files']);
    const other = library();
    other.server.registry.remove('resource-template', 'lib://books/{id}');
    other.server.registry.remove('resource-template', 'lib://files{/path*}');
    const publicPage = await list(await connect(other.server));
    expect(publicPage.cacheScope).toBe(revision < NEWEST ? undefined : 'public');
  });

  eachRevision('lists a URI once, and none that a resource has', async ({ connect }) => {
    const { server, shelves } = library();
    server.registry.add({ kind: 'resource', uri: 'lib://books/1', name: 'first', handler: () => 'First' });
    shelves.books = () => [...numbered(3), { uri: 'lib://books/2', name: 'again' }];
    const page = await list(await connect(server));
    expect(urisOf(page)).toEqual([...own, 'lib://books/1', 'lib://books/0', 'lib://books/2']);
    expect(page.resources.map(({ name }) => name).slice(2)).toEqual(['first', 'book', 'book']);
  });
});

describe('pages', () => {
  eachRevision('run across the border, and ask no list twice [PAGE-001, PAGE-002]', async ({ connect }) => {
    const { server, shelves } = library({ pageSize: 3 });
    shelves.books = () => numbered(3);
    shelves.files = () => [{ variables: { path: ['a'] } }, { variables: { path: ['b'] } }];
    const client = await connect(server);
    expect(await pages(client)).toEqual([
      [...own, 'lib://books/0'],
      ['lib://books/1', 'lib://books/2', 'lib://files/a'],
      ['lib://files/b'],
    ]);
    expect(shelves.asked).toEqual(['books', 'books', 'files', 'files']);
    const exact = library({ pageSize: 2 });
    exact.shelves.books = () => numbered(4);
    expect(await pages(await connect(exact.server))).toEqual([
      own,
      ['lib://books/0', 'lib://books/1'],
      ['lib://books/2', 'lib://books/3'],
      [],
    ]);
    const single = library({ pageSize: 1 });
    single.shelves.books = () => numbered(1);
    expect((await pages(await connect(single.server))).flat()).toEqual([...own, 'lib://books/0']);
  });

  eachRevision('go on where they were while lists and templates change [PAGE-004]', async ({ connect }) => {
    const { server, shelves } = library({ pageSize: 3 });
    shelves.books = () => numbered(5);
    shelves.files = () => [{ variables: { path: ['a'] } }];
    const client = await connect(server);
    const { nextCursor } = await list(client);
    server.registry.add({ kind: 'resource', uri: 'lib://new', name: 'new', handler: () => 'New' });
    expect(urisOf(await list(client, nextCursor))).toEqual(['lib://books/1', 'lib://books/2', 'lib://books/3']);
    shelves.books = () => [];
    expect(urisOf(await list(client, nextCursor))).toEqual(['lib://files/a']);
    server.registry.disable('resource-template', 'lib://books/{id}');
    expect(urisOf(await list(client, nextCursor))).toEqual(['lib://files/a']);
    server.registry.remove('resource-template', 'lib://books/{id}');
    expect(urisOf(await list(client, nextCursor))).toEqual(['lib://files/a']);
  });

  eachRevision('belong to the principal who received them, and to no other [SEC-003]', async ({ connect }) => {
    const { server, shelves } = library({ pageSize: 2 });
    shelves.books = () => numbered(5);
    const ada = { as: { id: 'ada', scopes: ['one'] } };
    const client = await connect(server, ada);
    const { nextCursor } = await list(client, (await list(client)).nextCursor);
    const rest = ['lib://books/2', 'lib://books/3'];
    expect(urisOf(await list(client, nextCursor))).toEqual(rest);
    // Another token of the same principal.
    expect(urisOf(await list(await connect(server, { as: { id: 'ada' } }), nextCursor))).toEqual(rest);
    const nobody = await connect(server);
    const theirs = await list(nobody, (await list(nobody)).nextCursor);
    expect(urisOf(await list(nobody, theirs.nextCursor))).toEqual(rest);
    const refused = { code: -32602, message: expect.stringContaining('Invalid cursor') as string };
    for (const [who, cursor] of [
      [{ as: 'eve' }, nextCursor],
      [{}, nextCursor],
      [ada, theirs.nextCursor],
    ] as const)
      await expect(list(await connect(server, who), cursor)).rejects.toMatchObject(refused);
  });

  eachRevision('refuse cursors that this server did not write [PAGE-005]', async ({ connect }) => {
    const { server, shelves } = library({ pageSize: 2 });
    shelves.books = () => numbered(5);
    const client = await connect(server);
    const forged = [
      'listed:0',
      'listed:0:',
      'listed:-1:0',
      'listed:2:0',
      'listed:0:-1',
      'listed:0:1.5',
      'listed:0:1e3',
      'listed:0:9007199254740993',
      'listed:0:0:0',
      'listed:00:0',
      'listed:',
      'resource-template:0',
      'resource:9',
    ].map(forge);
    for (const cursor of forged) await expect(list(client, cursor)).rejects.toMatchObject({ code: -32602 });
    expect(urisOf(await list(client, forge('listed:0:1')))).toEqual(['lib://books/1', 'lib://books/2']);
    expect(urisOf(await list(client, forge('listed:0:1000')))).toEqual([]);
    server.registry.remove('resource-template', 'lib://books/{id}');
    server.registry.remove('resource-template', 'lib://files{/path*}');
    await expect(list(client, forge('listed:0:1'))).rejects.toMatchObject({ code: -32602 });
  });
});

describe('guards', () => {
  const calls: string[] = [];

  @Feature()
  class Vault {
    @Resource('vault://{id}')
    @UseGuards(members)
    box({ id }: BookId): string {
      return `Box ${id}`;
    }

    @ListTemplate('box') boxes(): ListedResource[] {
      calls.push('boxes');
      return numbered(2);
    }

    @Resource('hall://{id}') picture({ id }: BookId): string {
      return `Picture ${id}`;
    }

    @ListTemplate('picture') pictures(): ListedResource[] {
      return numbered(1);
    }
  }

  eachRevision(
    'that hide a template hide its list, which is not even asked [RSRC-012, CACHE-005]',
    async ({ connect }) => {
      const create = () =>
        createServer({ name: 'vault', version: '1.0.0', features: [Vault], logger: false, pageSize: 1 });
      calls.length = 0;
      expect(await pages(await connect(create()))).toEqual([['hall://0']]);
      expect(calls).toEqual([]);
      const member = await connect(create(), { clientInfo: { name: 'member', version: '1' } });
      expect(await pages(member)).toEqual([['vault://0'], ['vault://1'], ['hall://0']]);
      expect(calls.length).toBeGreaterThan(0);
    },
  );
});

describe('a list that fails', () => {
  eachRevision('is logged with an id, and hides nothing but its own part [BASE-049]', async ({ connect }) => {
    const logged: object[] = [];
    const ignore = (): void => undefined;
    const logger = { debug: ignore, info: ignore, warn: ignore, error: (fields: object) => void logged.push(fields) };
    const { server, shelves } = library({ logger });
    shelves.files = () => [{ variables: { path: ['a'] } }];
    const client = await connect(server);
    const wrong: (() => unknown)[] = [
      () => {
        throw new Error('password=hunter2');
      },
      () => Promise.reject(new Error('password=hunter2')),
      () => 'no array',
      () => [null],
      () => [{ name: 'nowhere' }],
      () => [{ uri: 'lib://rules' }],
      () => [{ uri: 'lib://books/a b' }],
      () => [{ variables: {} }],
      () => [{ variables: { id: '' } }],
      () => [{ variables: { id: 1, other: 2 } }],
    ];
    for (const books of wrong) {
      shelves.books = books;
      expect(urisOf(await list(client))).toEqual([...own, 'lib://files/a']);
    }
    expect(logged).toHaveLength(wrong.length);
    expect(logged[0]).toMatchObject({
      errorId: expect.any(String),
      method: 'resources/list',
      entry: 'lib://books/{id}',
      err: { message: 'password=hunter2' },
    });
    expect(logged[5]).toMatchObject({
      err: {
        message: expect.stringMatching(/^\[0\] in the list of lib:\/\/books\/\{id\}.*does not match.*Return \{/),
      },
    });
    expect(client.traffic.map(({ text }) => text).join()).not.toContain('hunter2');
  });
});

describe('a template described by data', () => {
  const data = {
    kind: 'resource',
    uri: 'more://{id}',
    name: 'more',
    input: BookId,
    handler: ({ id }: BookId) => String(id),
  } as const;

  eachRevision('may list too, and another list is announced', async ({ connect, revision }) => {
    const { server } = library();
    const client = await connect(server);
    expect(urisOf(await list(client))).toEqual(own);
    server.registry.add({ ...data, list: ({ client: { name } }) => [{ variables: { id: 1 }, name: String(name) }] });
    expect((await list(client)).resources[2]).toMatchObject({ uri: 'more://1', name: 'sigil-testing' });
    expect(await client.readResource('more://1')).toMatchObject({ contents: [{ text: '1' }] });
    await turn();
    const before = changes(client);
    server.registry.update('resource-template', 'more://{id}', { list: () => numbered(2) });
    await turn();
    expect(changes(client) - before).toBe(revision < NEWEST ? 1 : 0);
    expect(urisOf(await list(client)).slice(2)).toEqual(['more://0', 'more://1']);
    server.registry.update('resource-template', 'more://{id}', { handler: () => 'other' });
    await turn();
    expect(changes(client) - before).toBe(revision < NEWEST ? 1 : 0);
    server.registry.disable('resource-template', 'more://{id}');
    expect(urisOf(await list(client))).toEqual(own);
  });

  eachRevision('keeps its list where words change, also of a decorated one', async ({ connect }) => {
    const { server, shelves } = library();
    shelves.books = () => numbered(1);
    server.registry.update('resource-template', 'lib://books/{id}', { name: 'volume' });
    const client = await connect(server);
    expect((await list(client)).resources[2]).toMatchObject({ uri: 'lib://books/0', name: 'volume' });
    const replace = (): void =>
      server.registry.update('resource-template', 'lib://books/{id}', { list: () => numbered(2) });
    expect(replace).toThrow(/cannot change list of a decorated entry/);
  });

  it('cannot list without variables in its URI', async () => {
    const { server } = library();
    await server.listen(new MemoryTransport());
    const add = (): void =>
      server.registry.add({ kind: 'resource', uri: 'more://one', name: 'one', handler: () => '', list: () => [] });
    expect(add).toThrow(DefinitionError);
    expect(add).toThrow(/"more:\/\/one" has no variables/);
  });

  const changes = (client: TestClient): number =>
    client.notifications().filter(({ method }) => method === 'notifications/resources/list_changed').length;
});
