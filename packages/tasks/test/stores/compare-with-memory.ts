/** Random commands to a store and to the store in memory: both answer the same. */
import fc from 'fast-check';
import { bytesOf, MemoryTaskStore, type StoredTask, type TaskRoom, type TaskStore } from '@sigil-mcp/tasks';
import type { OpenedTaskStore } from '@sigil-mcp/tasks/testing';
import { runs } from '../../../../test/support/matrix';

/** Of the tasks: a store may have given an id to its holder, who is always the same. */
const HELD_BY = ['one', 'one', 'two', '-_3'] as const;

/** A command, its store chosen by the property: an instance of it and another one on the same data. */
type Command = (store: TaskStore, ids: readonly string[]) => Promise<unknown>;

const places = fc.integer({ min: 0, max: HELD_BY.length - 1 });
const holders = fc.constantFrom(...HELD_BY);
const task: fc.Arbitrary<Omit<StoredTask, 'id' | 'holder'> & { readonly place: number }> = fc.record({
  place: places,
  version: fc.integer({ min: 1, max: 5 }),
  dueAt: fc.oneof(fc.nat(20), fc.maxSafeNat()),
  isEnded: fc.boolean(),
  text: fc.string({ unit: 'binary', maxLength: 12 }),
});
const room: fc.Arbitrary<TaskRoom> = fc.record({
  tasks: fc.integer({ min: 1, max: 4 }),
  tasksPerHolder: fc.integer({ min: 1, max: 3 }),
  bytesPerHolder: fc.integer({ min: 0, max: 40 }),
  bytes: fc.integer({ min: 0, max: 80 }),
});

function taskOf(
  { place, ...rest }: { readonly place: number } & Omit<StoredTask, 'id' | 'holder'>,
  ids: readonly string[],
): StoredTask {
  return { ...rest, id: ids[place] ?? '', holder: HELD_BY[place] ?? '' };
}

/** Tasks that are due at the same time have no order. */
async function dueTimes(store: TaskStore, now: number, limit: number): Promise<unknown> {
  const due = await store.due(now, limit);
  const times = await Promise.all(due.map(async (id) => (await store.read(id))?.dueAt));
  return [times, new Set(due).size];
}

const commands: fc.Arbitrary<Command> = fc.oneof(
  fc.tuple(task, room).map(
    ([each, limits]): Command =>
      async (store, ids) =>
        store.create({ ...taskOf(each, ids), version: 1 }, limits),
  ),
  // The next version more often than any other.
  fc
    .tuple(task, fc.boolean(), fc.option(room, { nil: undefined }))
    .map(([each, isNext, limits]): Command => async (store, ids) => {
      const next = taskOf(each, ids);
      const version = isNext ? ((await store.read(next.id))?.version ?? 0) + 1 : next.version;
      return store.replace({ ...next, version }, limits);
    }),
  fc.tuple(places, fc.integer({ min: 1, max: 4 })).map(
    ([place, version]): Command =>
      async (store, ids) =>
        store.remove(ids[place] ?? '', version),
  ),
  fc.tuple(fc.integer({ min: -1, max: 30 }), fc.option(holders, { nil: undefined })).map(
    ([most, holder]): Command =>
      async (store) =>
        store.dropEnded?.(most, holder),
  ),
  fc.tuple(fc.nat(25), fc.nat(5)).map(
    ([now, limit]): Command =>
      (store) =>
        dueTimes(store, now, limit),
  ),
);

/** All holders, and each. */
const HOLDERS = [undefined, 'one', 'two', '-_3'];

/** Everything that both must have after a command; what is counted is what there is. */
async function allOf(store: TaskStore, ids: readonly string[]): Promise<unknown> {
  const found = await Promise.all(ids.map(async (id) => store.read(id)));
  const counts = await Promise.all(HOLDERS.map(async (holder) => store.count(holder)));
  for (const [index, holder] of HOLDERS.entries()) {
    const held = found.filter((each) => each && (holder === undefined || each.holder === holder));
    const bytes = held.reduce((sum, each) => sum + bytesOf(each?.text ?? ''), 0);
    expect({ ...counts[index] }).toEqual({ unended: held.filter((each) => !each?.isEnded).length, bytes });
  }
  return [found, counts, await dueTimes(store, Number.MAX_SAFE_INTEGER, 10)];
}

/**
 * Sends random commands to a store, and to the store in memory.
 * @param open makes a store without tasks
 * @throws Error with the shortest commands that are answered differently
 */
export async function compareWithMemory(open: () => Promise<OpenedTaskStore>, numRuns = 50): Promise<void> {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(commands, fc.boolean()), { maxLength: 25 }),
      fc.context(),
      async (all, context) => {
        const { store, another = store, close } = await open();
        const memory = new MemoryTaskStore();
        const stores = [...new Set([store, another])];
        try {
          for (const each of stores) await each.open?.('weather');
          const ids = HELD_BY.map((holder, place) => store.newId?.(holder) ?? 'abcd'.charAt(place).repeat(22));
          for (const [command, isOther] of all) {
            const [expected, received] = [await command(memory, ids), await command(isOther ? another : store, ids)];
            context.log(`${String(command)}: ${JSON.stringify(received)}`);
            expect(received).toEqual(expected);
            expect(await allOf(isOther ? store : another, ids)).toEqual(await allOf(memory, ids));
          }
        } finally {
          for (const each of stores) await each.close?.();
          await close?.();
        }
      },
    ),
    { numRuns: runs(numRuns) },
  );
}
