/** A list that waits for a guard while the registry changes: every order of the two. */
import fc from 'fast-check';
import { Caller, type Guard } from '../src';
import { OPEN_POLICY } from '../src/context/entry-facts';
import type { Access } from '../src/context/call';
import type { Entry } from '../src/registry/entry';
import { Listing, type ListedPage } from '../src/registry/listing';
import { Registry } from '../src/registry/registry';
import { runs } from '../../../test/support/matrix';

type Page = ListedPage<'tool'>;

const ACCESS = { caller: new Caller({ id: 'ada' }) } as Access;

function toolEntry(name: string, description: string, guards: readonly Guard[]): Entry<'tool'> {
  return {
    get face() {
      return this;
    },
    kind: 'tool',
    key: name,
    definition: { name, description, inputSchema: { type: 'object' } },
    source: { feature: undefined, member: undefined, module: undefined },
    shapes: { input: undefined, output: undefined },
    policy: OPEN_POLICY,
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

/** What the list says, in words that can be compared. */
function wordsOf(definitions: Page['definitions']): string[] {
  return definitions.map(({ name, description }) => `${name}: ${description}`);
}

type Step = { readonly kind: 'list' | 'update' | 'add' | 'remove'; readonly tool: 'a' | 'b' | 'c' };

const steps = fc.array(
  fc.record<Step>({
    kind: fc.constantFrom('list', 'list', 'update', 'add', 'remove'),
    tool: fc.constantFrom('a', 'b', 'c'),
  }),
  { minLength: 2, maxLength: 8 },
);

it('a list that is asked for after a change holds the change, however long the guards of earlier lists take', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), steps, async (scheduler, plan) => {
      let isPatient = true;
      const slow: Guard = { allows: () => (isPatient ? scheduler.schedule(Promise.resolve(true), 'guard') : true) };
      const registry = new Registry(100);
      let version = 0;
      const put = (name: string): void => void registry.add(toolEntry(name, `version ${++version}`, [slow]));
      put('a');
      put('b');
      const listing = new Listing(registry, 'tool', { ttlMs: 0, cacheScope: 'public' }, (page: Page) => page);
      const lists: Promise<unknown>[] = [];
      const act = ({ kind, tool }: Step): void => {
        const isThere = registry.find('tool', tool) !== undefined;
        if (kind === 'list') lists.push(Promise.resolve(listing.page(undefined, ACCESS)));
        else if (kind === 'update' && isThere) registry.replace(toolEntry(tool, `version ${++version}`, [slow]));
        else if (kind === 'add' && !isThere) put(tool);
        else if (kind === 'remove') registry.remove('tool', tool);
      };
      const { task } = scheduler.scheduleSequence(
        plan.map((step) => ({ label: `${step.kind} ${step.tool}`, builder: () => Promise.resolve(act(step)) })),
      );
      await scheduler.waitFor(task);
      await scheduler.waitFor(Promise.all(lists));
      isPatient = false;
      const last = await listing.page(undefined, ACCESS);
      const held = [...registry.entries('tool')].map(({ definition }) => definition);
      expect(wordsOf(last.definitions)).toEqual(wordsOf(held));
    }),
    { numRuns: runs(300) },
  );
});

it('a list during which the registry changes says what holds when it is answered', async () => {
  const asked: (() => void)[] = [];
  const slow: Guard = { allows: () => new Promise((resolve) => asked.push(() => resolve(true))) };
  const registry = new Registry(100);
  registry.add(toolEntry('old', 'gone soon', [slow]));
  const listing = new Listing(registry, 'tool', { ttlMs: 0, cacheScope: 'public' }, (page: Page) => page);
  const page = listing.page(undefined, ACCESS);
  registry.remove('tool', 'old');
  registry.add(toolEntry('new', 'just added', []));
  asked.forEach((answer) => answer());
  expect(wordsOf((await page).definitions)).toEqual(['new: just added']);
});

it('a registry that never stops changing does not keep a list from being answered', async () => {
  const registry = new Registry(100);
  let count = 0;
  const busy: Guard = {
    allows: async () => {
      await Promise.resolve();
      registry.add(toolEntry(`t${++count}`, 'another', []));
      return true;
    },
  };
  registry.add(toolEntry('first', 'guarded', [busy]));
  const listing = new Listing(registry, 'tool', { ttlMs: 0, cacheScope: 'public' }, (page: Page) => page);
  expect(wordsOf((await listing.page(undefined, ACCESS)).definitions)).toContain('first: guarded');
  expect(count).toBeLessThan(10);
});
