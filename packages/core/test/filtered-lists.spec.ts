/** A list that is not the same for all is looked at once for callers with the same rights, and written once for each set of entries. */
import { Authenticated, Caller, Roles, type Guard } from '../src';
import { ANONYMOUS, WITHOUT_TOKEN } from '../src/context/caller';
import { OPEN_POLICY } from '../src/context/entry-facts';
import type { Access } from '../src/context/call';
import { writeCursor } from '../src/registry/listed-cursors';
import type { Entry } from '../src/registry/entry';
import { Listing, type ListedPage } from '../src/registry/listing';
import { Registry } from '../src/registry/registry';

type Page = ListedPage<'tool'>;

function toolEntry(name: string, policy: Partial<Entry['policy']> = {}, guards: readonly Guard[] = []): Entry<'tool'> {
  return {
    get face() {
      return this;
    },
    kind: 'tool',
    key: name,
    definition: { name, inputSchema: { type: 'object' } },
    source: { feature: undefined, member: undefined, module: undefined },
    shapes: { input: undefined, output: undefined },
    policy: { ...OPEN_POLICY, ...policy },
    guards,
    invoke: () => undefined,
    hasStages: false,
    completers: new Map(),
    template: undefined,
    list: undefined,
    cache: undefined,
    isUnlisted: false,
    mirrored: [],
    input: undefined,
    asks: [],
  };
}

const accessOf = (caller: Caller): Access => ({ caller }) as Access;
const user = (scopes: readonly string[] = [], roles: readonly string[] = [], id = 'ada'): Caller =>
  new Caller({ id, scopes, roles });

/** A list of these entries on one page, and how often it was written. */
function listOf(entries: readonly Entry<'tool'>[], pageSize = 100) {
  const registry = new Registry(pageSize);
  for (const entry of entries) registry.add(entry);
  const written = jest.fn((page: Page) => page);
  const listing = new Listing(registry, 'tool', { ttlMs: 5, cacheScope: 'public' }, written);
  const page = async (caller: Caller, cursor?: string): Promise<Page> => listing.page(cursor, accessOf(caller));
  const names = async (caller: Caller): Promise<string[]> => (await page(caller)).definitions.map(({ name }) => name);
  return { registry, written, page, names, listing };
}

const hidden = { isListed: false } as const;

it('is one object for all who see the same, whatever their rights, and private', async () => {
  const { page, written } = listOf([toolEntry('a'), toolEntry('b', { scopes: ['x'], ...hidden })]);
  const first = await page(user(['x']));
  expect(await page(user(['x'], [], 'eve'))).toBe(first);
  expect(await page(user(['y', 'x'], ['admin']))).toBe(first);
  const less = await page(user([]));
  expect(less).not.toBe(first);
  expect(await page(user(['y']))).toBe(less);
  expect(written).toHaveBeenCalledTimes(2);
  expect([first.cache, less.cache]).toEqual(Array(2).fill({ ttlMs: 5, cacheScope: 'private' }));
});

it('asks guards of rights once for callers who have the same, and others each time', async () => {
  const [byRights, own] = [jest.fn(() => true), jest.fn(({ caller }: Access) => caller.id === 'ada')];
  const { names } = listOf([
    toolEntry('a', {}, [{ dependsOn: 'rights', allows: byRights }]),
    toolEntry('b', {}, [{ allows: own }]),
    toolEntry('c', {}, [Roles('admin')]),
    toolEntry('d', {}, [Authenticated()]),
  ]);
  expect(await names(user())).toEqual(['a', 'b', 'd']);
  expect(await names(user([], [], 'eve'))).toEqual(['a', 'd']);
  expect(await names(user())).toEqual(['a', 'b', 'd']);
  expect([byRights.mock.calls.length, own.mock.calls.length]).toEqual([1, 3]);
  expect(await names(user([], ['admin']))).toEqual(['a', 'b', 'c', 'd']);
  expect(await names(ANONYMOUS)).toEqual(['a']);
});

it('asks the guards of an entry one after the other, late and early ones', async () => {
  const last = jest.fn(() => true);
  const late = (verdict: boolean): Guard => ({ allows: () => Promise.resolve(verdict) });
  const { names } = listOf([
    toolEntry('a', {}, [late(true), { allows: () => true }, late(true)]),
    toolEntry('b', {}, [late(false), { allows: last }]),
    toolEntry('c', {}, [{ allows: () => true }, late(false)]),
    // It does not keep its word, so it is asked like any other.
    toolEntry('d', {}, [{ dependsOn: 'rights', allows: () => Promise.resolve(false) }]),
  ]);
  expect(await names(user())).toEqual(['a']);
  expect(last).not.toHaveBeenCalled();
});

it('fails where a guard fails, and leaves no promise behind', async () => {
  const failing: Guard = { allows: () => Promise.reject(new Error('one')) };
  const throwing: Guard = {
    allows: () => {
      throw new Error('two');
    },
  };
  const { page } = listOf([toolEntry('a', {}, [failing]), toolEntry('b', {}, [throwing])]);
  await expect(page(user())).rejects.toThrow(/one|two/);
  await new Promise((resolve) => setImmediate(resolve));
});

it('shows callers without a token what is public, others all, and is private wherever something is', async () => {
  const { names, page, registry } = listOf([toolEntry('a', { isPublic: true }), toolEntry('b')]);
  expect(await names(WITHOUT_TOKEN)).toEqual(['a']);
  expect(await names(new Caller({ id: 'x', kind: 'anonymous' }))).toEqual(['a']);
  expect(await names(ANONYMOUS)).toEqual(['a', 'b']);
  expect(await names(user())).toEqual(['a', 'b']);
  expect((await page(user())).cache.cacheScope).toBe('private');
  registry.setEnabled('tool', 'a', false);
  expect((await page(user())).cache.cacheScope).toBe('public');
  expect(await names(WITHOUT_TOKEN)).toEqual([]);
});

it('is another one as soon as an entry wants something else, of this list or public of another', async () => {
  const { names, page, registry } = listOf([toolEntry('a'), toolEntry('b')]);
  expect((await page(user())).cache.cacheScope).toBe('public');
  registry.replace(toolEntry('b', { scopes: ['x'], ...hidden }));
  expect(await names(user())).toEqual(['a']);
  registry.replace(toolEntry('b', { scopes: ['x'] }));
  expect(await names(user())).toEqual(['a', 'b']);
  registry.replace(toolEntry('b'));
  expect((await page(user())).cache.cacheScope).toBe('public');
  registry.add({
    ...toolEntry('p'),
    kind: 'prompt',
    definition: { name: 'p' },
    policy: { ...OPEN_POLICY, isPublic: true },
  });
  expect((await page(user())).cache.cacheScope).toBe('private');
});

it('keeps no more sets of entries than it may, and nothing for cursors that it did not give out', async () => {
  const many = Array.from({ length: 200 }, (_, at) => toolEntry(`t${at}`, { scopes: [`s${at}`], ...hidden }));
  const { page, written } = listOf(many, 150);
  const first = await page(user(['s0']));
  for (let at = 1; at < 120; at++) await page(user([`s${at}`]));
  expect(await page(user(['s0']))).not.toBe(first);
  const calls = written.mock.calls.length;
  const { nextCursor = '' } = await page(user(['s1', 's160']));
  const last = await page(user(['s160']), nextCursor);
  expect(last.definitions.map(({ name }) => name)).toEqual(['t160']);
  expect(await page(user(['s160']), nextCursor)).toBe(last);
  const forged = writeCursor('tool', 7);
  expect(await page(user(['s160']), forged)).not.toBe(await page(user(['s160']), forged));
  expect(written.mock.calls.length - calls).toBe(4);
  await expect(page(user(), 'none')).rejects.toThrow('Invalid cursor');
});
