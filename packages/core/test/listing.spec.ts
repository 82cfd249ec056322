import { ANONYMOUS } from '../src/context/caller';
import { OPEN_POLICY } from '../src/context/entry-facts';
import type { Access } from '../src/context/call';
import { writeCursor } from '../src/registry/listed-cursors';
import type { Entry } from '../src/registry/entry';
import { Listing, type ListedPage } from '../src/registry/listing';
import { Registry } from '../src/registry/registry';

const access: Access = { caller: ANONYMOUS, headers: {}, client: { info: undefined, capabilities: {} } } as never;

function toolEntry(name: string): Entry<'tool'> {
  return {
    get face() {
      return this;
    },
    kind: 'tool',
    key: name,
    definition: { name, inputSchema: { type: 'object' } },
    source: { feature: undefined, member: undefined, module: undefined },
    shapes: { input: undefined, output: undefined },
    policy: OPEN_POLICY,
    guards: [],
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

/** Five tools on pages of two. */
function openListing(): { registry: Registry; page: (cursor: string | undefined) => ListedPage<'tool'> } {
  const registry = new Registry(2);
  for (const name of ['a', 'b', 'c', 'd', 'e']) registry.add(toolEntry(name));
  const listing = new Listing(registry, 'tool', { ttlMs: 0, cacheScope: 'public' }, (page: ListedPage<'tool'>) => page);
  return {
    registry,
    page(cursor) {
      const page = listing.page(cursor, access);
      if (page instanceof Promise) throw new Error('expected a page that is the same for all');
      return page;
    },
  };
}

describe('a list', () => {
  it('keeps the pages that it gave cursors to, until it changes', () => {
    const { registry, page } = openListing();
    const first = page(undefined);
    const second = page(first.nextCursor);
    expect(second.definitions.map(({ name }) => name)).toEqual(['c', 'd']);
    expect([page(undefined), page(first.nextCursor)]).toEqual([first, second]);
    expect(page(undefined)).toBe(first);
    expect(page(first.nextCursor)).toBe(second);
    registry.remove('tool', 'e');
    expect(page(undefined)).not.toBe(first);
  });

  it('keeps no page for a cursor that it did not give out, however well-formed', () => {
    const { page } = openListing();
    const { nextCursor } = page(undefined);
    const forged = writeCursor('tool', 0);
    expect(forged).not.toBe(nextCursor);
    const answer = page(forged);
    expect(answer.definitions.map(({ name }) => name)).toEqual(['b', 'c']);
    expect(page(forged)).not.toBe(answer);
    // Nor for one that leads on from there.
    expect(page(answer.nextCursor)).not.toBe(page(answer.nextCursor));
  });
});
