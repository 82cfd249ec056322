/** The rest of a result: who may read it, for how long, and where it is kept. */
import { createServer, Scopes, Feature, Tool, type Server } from '@sigil-mcp/core';
import { MemoryStores } from '@sigil-mcp/core/stores';
import { MemoryRestStore, resultBudgets, type RestStore } from '@sigil-mcp/results';
import { redisResults } from '@sigil-mcp/results/redis';
import { TASKS, tasks } from '@sigil-mcp/tasks';
import { connect, ManualClock, type TestClient } from '@sigil-mcp/testing';
import fc from 'fast-check';
import { CLIENTS, CLUSTER_CLIENTS, startCluster, type OpenClient } from '../../support/supplies/redis-clients';
import { RedisServer } from '../../support/supplies/redis-server';
import { until } from '../../support/until';
import { archive, booksOf, linesOf, type ArchiveLog } from './archive/archive';
import { runs } from '../../support/matrix';

const SECRETS = { requestState: { secrets: ['a secret that all instances of this server share'] } };
const ADA = { as: { id: 'ada', scopes: ['books'] } };
const BOB = { as: { id: 'bob', scopes: ['books'] } };

interface Result {
  readonly content: readonly { readonly type: string; readonly text?: string; readonly uri?: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: boolean;
}

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function opened(server: Server, options: Parameters<typeof connect>[1] = ADA): Promise<TestClient> {
  const client = await connect(server, options);
  closing.push(
    () => server.close(),
    () => client.close(),
  );
  return client;
}

async function call(client: TestClient, name: string, given: object): Promise<Result> {
  return (await client.request('tools/call', { name, arguments: { ...given } })) as unknown as Result;
}

/** The cursor and the URI of what was cut. */
function wayOn(result: Result): { readonly cursor: string; readonly uri: string } {
  const text = JSON.stringify(result);
  const [, uri = ''] = /read (result:\/\/[\w-]+\/\d+)\./.exec(text) ?? [];
  return { uri, cursor: uri.replace('result://', '').replace('/', '.') };
}

const gone = { code: -32602, message: expect.stringContaining('Resource not found') as string };

describe('the rest of a result', () => {
  it('belongs to the caller of the tool', async () => {
    const server = archive();
    const ada = await opened(server);
    const bob = await connect(server, BOB);
    const { cursor, uri } = wayOn(await call(ada, 'list', { count: 200 }));
    await expect(bob.readResource(uri)).rejects.toMatchObject(gone);
    expect(await call(bob, 'list', { count: 200, cursor })).toMatchObject({ isError: true });
    expect(await call(ada, 'list', { count: 200, cursor })).toMatchObject({ isError: false });
    await bob.close();
  });

  it('comes without another run of the tool', async () => {
    const log: ArchiveLog = { runs: 0 };
    const client = await opened(archive(log));
    const { cursor } = wayOn(await call(client, 'list', { count: 200 }));
    await call(client, 'list', { count: 200, cursor });
    await call(client, 'list', { cursor });
    expect(log.runs).toBe(1);
  });

  it('is read as long as its caller may use the tool', async () => {
    const server = createServer({
      name: 'guarded',
      version: '1.0.0',
      logger: false,
      features: [Guarded],
      extensions: [resultBudgets()],
    });
    const ada = await opened(server);
    const { uri } = wayOn(await call(ada, 'secrets', {}));
    const later = await connect(server, { as: { id: 'ada', scopes: [] } });
    await expect(later.readResource(uri)).rejects.toThrow('needs the scope books');
    await expect(ada.readResource(uri)).resolves.toBeDefined();
    server.registry.disable('tool', 'secrets');
    await expect(ada.readResource(uri)).rejects.toMatchObject(gone);
    await later.close();
  });

  it('expires', async () => {
    const clock = new ManualClock();
    const client = await opened(archive(undefined, { ttl: 60_000 }, { clock }));
    const { cursor, uri } = wayOn(await call(client, 'list', { count: 200 }));
    await clock.advance(59_000);
    await expect(client.readResource(uri)).resolves.toBeDefined();
    await clock.advance(1000);
    await expect(client.readResource(uri)).rejects.toMatchObject(gone);
    const late = await call(client, 'list', { count: 200, cursor });
    expect(late).toMatchObject({ isError: true });
    expect(late.content[0]?.text).toContain('Call the tool again without a cursor.');
  });

  it('is found by cursors of its own tool alone', async () => {
    const client = await opened(archive());
    const { cursor, uri } = wayOn(await call(client, 'list', { count: 200 }));
    const [id = ''] = cursor.split('.');
    for (const wrong of ['x', `${id}.`, `${id}.-1`, `${id}.200`, `${id}.1e3`, `${cursor}0000000`, '__proto__.0', 'ä.1'])
      expect(await call(client, 'list', { count: 200, cursor: wrong })).toMatchObject({ isError: true });
    expect(await call(client, 'log', { count: 1, cursor })).toMatchObject({ isError: true });
    for (const wrong of [
      `${uri}0000000`,
      ...['x', '-1', '200'].map((from) => `result://${id}/${from}`),
      'result://nothing/0',
    ])
      await expect(client.readResource(wrong)).rejects.toMatchObject(gone);
    await expect(client.readResource(`result://${id}/199`)).resolves.toBeDefined();
  });

  it('begins with an empty cursor, as models write it', async () => {
    const client = await opened(archive());
    for (const cursor of ['', null])
      expect(await call(client, 'list', { count: 3, cursor })).toMatchObject({ structuredContent: { shelf: 'north' } });
    const wrong = await call(client, 'list', { count: 3, cursor: 5 });
    expect(wrong.content[0]?.text).toContain('This cursor is not one of this tool');
  });

  it('is continued by an old name of the tool, too, whose arguments are converted', async () => {
    let runs = 0;
    const replaces = [{ name: 'old', arguments: () => ({}) }];
    const handler = (): unknown => ((runs += 1), { items: booksOf(200) });
    const server = createServer({
      name: 'renamed',
      version: '1.0.0',
      logger: false,
      features: [{ ...anyTool([], 1000), replaces, handler }],
      extensions: [resultBudgets()],
    });
    const client = await opened(server);
    const { cursor } = wayOn(await call(client, 'old', { n: 1 }));
    expect((await call(client, 'old', { n: 1, cursor })).structuredContent?.['hint']).not.toContain('Items 1 to');
    expect(runs).toBe(1);
  });

  it('is left out of lists', async () => {
    const client = await opened(archive());
    await call(client, 'list', { count: 200 });
    expect(await client.listResourceTemplates()).toMatchObject({ resourceTemplates: [] });
    expect(await client.listResources()).toMatchObject({ resources: [] });
  });

  it('is lost if it is too large, and the result says so', async () => {
    const store = new MemoryRestStore({ charactersPerCaller: 1000 });
    const client = await opened(archive(undefined, { store }));
    const result = await call(client, 'list', { count: 200 });
    expect(result.structuredContent).not.toHaveProperty('nextCursor');
    expect(result.structuredContent).toMatchObject({ total: 200 });
    expect(result.structuredContent?.['hint']).toContain('The rest was not kept, because it is too large');
    expect(JSON.stringify(await call(client, 'export', { count: 100 }))).toContain('archive://export.csv has');
  });

  it('is lost if the store fails, which the log says once', async () => {
    const store: RestStore = {
      isShared: false,
      keep: () => Promise.reject(new Error('the disk is full')),
      find: () => Promise.reject(new Error('the disk is full')),
    };
    const warn = jest.fn();
    const silent = () => undefined;
    const logger = { trace: silent, debug: silent, info: silent, warn, error: silent, fatal: silent };
    const client = await opened(archive(undefined, { store }, { logger: logger as never }));
    expect((await call(client, 'list', { count: 200 })).structuredContent).toMatchObject({ total: 200 });
    expect(await call(client, 'list', { count: 200, cursor: 'abc.1' })).toMatchObject({ isError: true });
    expect(warn).toHaveBeenCalledTimes(1);
  });
});

@Feature()
class Guarded {
  @Scopes('books')
  @Tool('Reads', { budget: 1000 })
  secrets(): string {
    return linesOf(100);
  }
}

describe('a result that is cut', () => {
  it('is any part of a list, in order, and no longer than the budget', async () => {
    const item = fc.oneof(fc.string({ maxLength: 300 }), fc.integer(), fc.record({ a: fc.string({ unit: 'binary' }) }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(item, { maxLength: 80 }),
        fc.integer({ min: 1000, max: 4000 }),
        async (items, budget) => {
          const server = createServer({
            name: 'any',
            version: '1.0.0',
            logger: false,
            features: [anyTool(items, budget)],
            extensions: [resultBudgets()],
          });
          const client = await connect(server);
          const seen: unknown[] = [];
          let cursor: unknown;
          do {
            const result = await call(client, 'any', cursor === undefined ? {} : { cursor });
            const page = result.structuredContent as { readonly items: unknown[]; readonly nextCursor?: string };
            const length = result.content.reduce((sum, block) => sum + (block.text ?? JSON.stringify(block)).length, 0);
            expect(page.items.length === 1 || length <= budget).toBe(true);
            expect(page.items.length > 0 || items.length === 0).toBe(true);
            seen.push(...page.items);
            cursor = page.nextCursor;
          } while (cursor !== undefined);
          expect(seen).toEqual(JSON.parse(JSON.stringify(items)));
          await client.close();
          await server.close();
        },
      ),
      { numRuns: runs(60) },
    );
  });

  it('has the whole text in its parts, and no half of a character', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 500, maxLength: 4000 }), async (text) => {
        const server = createServer({
          name: 'any',
          version: '1.0.0',
          logger: false,
          features: [{ ...anyTool([], 1000), handler: () => text }],
          extensions: [resultBudgets()],
        });
        const client = await connect(server);
        let whole = '';
        let cursor: string | undefined;
        do {
          const result = await call(client, 'any', cursor === undefined ? {} : { cursor });
          const part = result.content[0]?.text ?? '';
          expect(Buffer.from(part).toString()).toBe(part);
          whole += part;
          ({ cursor } = wayOn(result));
        } while (cursor !== '');
        expect(whole).toBe(text);
        await client.close();
        await server.close();
      }),
      { numRuns: runs(40) },
    );
  });

  it('keeps the words of its author', async () => {
    const client = await opened(archive());
    const result = await call(client, 'describe', { count: 200 });
    expect(result.content.map(({ type }) => type)).toEqual(['text', 'resource_link']);
    expect(result.content[0]?.text).toBe('Books of the north.');
    expect(result.structuredContent).toMatchObject({ shelf: 'north', total: 200 });
  });

  it('may be a list without a name, or the longest list of an object, if there is no schema', async () => {
    const client = await opened(archive());
    const numbers = await call(client, 'numbers', { count: 1000 });
    expect(numbers.content[1]?.text).toContain('of 1000.');
    const { cursor } = wayOn(numbers);
    expect(cursor).not.toBe('');
    expect((await call(client, 'numbers', { cursor })).content[0]?.text).toMatch(/^\[\d+,/);
    const found = await call(client, 'find', { count: 100 });
    expect(found.structuredContent).toMatchObject({ few: [1], source: 'index', total: 100 });
  });
});

function anyTool(items: readonly unknown[], budget: number) {
  return { kind: 'tool', name: 'any', description: 'Lists', budget, handler: (): unknown => ({ items }) } as const;
}

describe('a task', () => {
  it('has a result that fits, and its cursor is answered at once', async () => {
    const features = [{ ...anyTool(booksOf(200), 1000), task: 'optional' } as const];
    const extensions = [resultBudgets(), tasks()];
    const server = createServer({ name: 'long', version: '1.0.0', logger: false, features, extensions });
    const capabilities = { extensions: { [TASKS]: {} } };
    const client = await opened(server, { ...ADA, revision: '2026-07-28', capabilities });
    const task = (await client.request('tools/call', { name: 'any', arguments: {} })) as unknown as { taskId: string };
    let done: { readonly status?: string; readonly result?: Result } = {};
    await until(async () => {
      done = await client.request('tasks/get', { taskId: task.taskId });
      return done.status === 'completed';
    });
    expect(done.result?.structuredContent).toMatchObject({ total: 200 });
    const { cursor } = wayOn(done.result!);
    expect(await call(client, 'any', { cursor })).toMatchObject({ resultType: 'complete', isError: false });
  });
});

describe('a store in Redis', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server.stop());

  async function connected(name: keyof typeof CLIENTS): Promise<OpenClient> {
    const client = await CLIENTS[name]!(server);
    closing.push(() => client.close());
    return client;
  }

  it.each(Object.keys(CLIENTS))('is read by every instance, sealed, with %s', async (name) => {
    const { client } = await connected(name);
    const instances = await Promise.all(
      [1, 2].map(() =>
        opened(archive(undefined, { store: redisResults(client) }, { ...SECRETS, stores: new MemoryStores() })),
      ),
    );
    const [first, second] = instances as [TestClient, TestClient];
    const { cursor, uri } = wayOn(await call(first, 'list', { count: 200 }));
    expect(await call(second, 'list', { count: 200, cursor })).toMatchObject({ isError: false });
    expect(await second.readResource(uri)).toBeDefined();
    const [key = ''] = (await server.command('KEYS', '*:rest:*')) as string[];
    expect(String(await server.command('GET', key))).not.toContain('book');
    expect(Number(await server.command('PTTL', key))).toBeGreaterThan(0);
    await server.command('FLUSHALL');
  });

  it('removes the oldest rests of a caller to make room, and refuses what is too large', async () => {
    const { client } = await connected('node-redis');
    const store = redisResults(client, { charactersPerCaller: 100 });
    await store.open?.('archive');
    const rest = (id: string, length: number, owner = 'ada') => ({
      id,
      owner,
      countedFor: owner,
      text: id.repeat(length),
      ttl: 60_000,
    });
    expect(await store.keep(rest('a', 60))).toBe(true);
    expect(await store.keep(rest('b', 40))).toBe(true);
    expect(await store.keep(rest('o', 90, 'bob'))).toBe(true);
    expect(await store.keep(rest('c', 50))).toBe(true);
    expect(await store.find('a', 'ada')).toBeUndefined();
    expect(await store.find('b', 'ada')).toBe('b'.repeat(40));
    expect(await store.find('c', 'ada')).toBe('c'.repeat(50));
    expect(await store.keep(rest('d', 101))).toBe(false);
    expect(await store.find('c', 'ada')).toBeDefined();
    expect(await store.find('c', 'bob')).toBeUndefined();
    expect(await store.keep({ ...rest('e', 100), ttl: 1 })).toBe(true);
  });

  it('removes the oldest rests of all callers when they have reached the sum, and counts what is left', async () => {
    const { client } = await connected('node-redis');
    const store = redisResults(client, { prefix: 'sum', characters: 300, charactersPerCaller: 100 });
    await store.open?.('archive');
    const keep = (id: string, countedFor: string, length: number, ttl = 60_000) =>
      store.keep({ id, owner: 'anonymous', countedFor, text: id.repeat(length), ttl });
    const kept = async (...ids: readonly string[]) =>
      Promise.all(ids.map(async (id) => ((await store.find(id, 'anonymous')) ? id : '-')));
    for (const id of ['a', 'b', 'c']) expect(await keep(id, `address ${id}`, 90)).toBe(true);
    expect(await keep('d', 'address d', 60)).toBe(true);
    expect(await kept('a', 'b', 'c', 'd')).toEqual(['-', 'b', 'c', 'd']);
    // Callers without an identity count by their address: the third one makes room for itself.
    expect(await keep('e', 'address c', 50)).toBe(true);
    expect(await kept('b', 'c', 'd', 'e')).toEqual(['b', '-', 'd', 'e']);
    const [sums = ''] = (await server.command('KEYS', 'sum:*:sums')) as string[];
    expect(Number(await server.command('HGET', sums, '*'))).toBe(200);
    expect(await keep('f', 'address f', 100, 1)).toBe(true);
    await until(async () => (await store.find('f', 'anonymous')) === undefined);
    expect(await keep('g', 'address g', 100)).toBe(true);
    expect(await kept('b', 'd', 'e', 'g')).toEqual(['b', 'd', 'e', 'g']);
    const fields = (await server.command('HVALS', sums)) as string[];
    expect(fields.map(Number).sort((one, other) => one - other)).toEqual([50, 60, 90, 100, 300]);
    expect(Number(await server.command('PTTL', sums))).toBeGreaterThan(0);
  });

  it('gives one caller an eighth of the sum, and no more than all of it', async () => {
    const { client } = await connected('node-redis');
    const store = redisResults(client, { prefix: 'eighth', characters: 800 });
    await store.open?.('archive');
    const keep = (length: number) =>
      store.keep({ id: 'a', owner: 'ada', countedFor: 'ada', text: 'a'.repeat(length), ttl: 1000 });
    expect([await keep(100), await keep(101)]).toEqual([true, false]);
    expect(() => redisResults(client, { characters: 800, charactersPerCaller: 801 })).toThrow(
      expect.objectContaining({ code: 'SIGIL_RESULTS_SHARE' }) as Error,
    );
  });

  it('may be a cluster', async () => {
    const cluster = await startCluster();
    closing.push(() => cluster.stop());
    const { client, close } = await CLUSTER_CLIENTS['ioredis']!(cluster);
    closing.push(close);
    const store = redisResults(client);
    await store.open?.('archive');
    for (const owner of ['ada', 'bob', 'eve'])
      expect(await store.keep({ id: owner, owner, countedFor: owner, text: owner, ttl: 60_000 })).toBe(true);
    expect(await store.find('bob', 'bob')).toBe('bob');
  });

  it('needs the secrets of the server', async () => {
    const { client } = await connected('node-redis');
    const started = connect(archive(undefined, { store: redisResults(client) }));
    await expect(started).rejects.toMatchObject({ code: 'SIGIL_RESULTS_SECRETS' });
  });

  it.each([
    [{ prefix: 'a b' }],
    [{ prefix: '' }],
    [{ charactersPerCaller: 0 }],
    [{ commandTimeout: Number.NaN }],
    [{ namespace: 'weather' } as never],
  ])('refuses the option %j', async (options) => {
    const { client } = await connected('node-redis');
    expect(() => redisResults(client, options)).toThrow(`redisResults({ ${Object.keys(options).join()} }): `);
  });
});

it('gives one caller an eighth of the characters, and no more than all of them', () => {
  const store = new MemoryRestStore({ characters: 800 });
  const keep = (length: number) =>
    store.keep({ id: 'a', owner: 'ada', countedFor: 'ada', text: 'a'.repeat(length), ttl: 1000 });
  expect([keep(100), keep(101)]).toEqual([true, false]);
  for (const charactersPerCaller of [800, Infinity])
    expect(() => new MemoryRestStore({ characters: 800, charactersPerCaller })).not.toThrow();
  expect(() => new MemoryRestStore({ characters: 800, charactersPerCaller: 801 })).toThrow(
    'charactersPerCaller }) is 801, but all callers together have 800.',
  );
});

it('says that a limit of a caller does not touch the rests of others', () => {
  const store = new MemoryRestStore({ characters: 300, charactersPerCaller: 100 }, new ManualClock());
  const rest = (id: string, length: number, owner: string) => ({
    id,
    owner,
    countedFor: owner,
    text: id.repeat(length),
    ttl: 1000,
  });
  expect(store.keep(rest('a', 90, 'ada'))).toBe(true);
  for (const id of 'bcdefg') expect(store.keep(rest(id, 60, 'bob'))).toBe(true);
  expect(store.find('a', 'ada')).toBeDefined();
  expect(store.find('f', 'bob')).toBeUndefined();
  expect(store.find('g', 'bob')).toBeDefined();
});
