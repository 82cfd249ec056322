/** Stores that do not do what they must, as those of others may: the tests for stores have a sentence that fails for each. */
import { AssertionError } from 'node:assert/strict';
import {
  MemoryTaskStore,
  type StoredTask,
  type TaskChanged,
  type TaskRoom,
  type TaskStore,
  type TextRoom,
} from '@sigil-mcp/tasks';
import { describeTaskStore, type OpenedTaskStore } from '@sigil-mcp/tasks/testing';

type Show = () => Promise<void>;

/**
 * As test runners do: what waits for something that never comes has failed. What stores in memory do needs no waiting. The wait has ended when
 * this rejects: no spec after this one has it as a guest.
 */
async function limited(show: Show): Promise<void> {
  const limit = AbortSignal.timeout(1000);
  const shown = show();
  const late = new Promise<never>((_, reject) =>
    limit.addEventListener('abort', () => reject(new AssertionError({ message: 'It takes too long.' }))),
  );
  try {
    await Promise.race([shown, late]);
  } finally {
    const time = jest.spyOn(performance, 'now').mockReturnValue(Infinity);
    await shown.catch(() => undefined);
    time.mockRestore();
  }
}

/** Runs the test of a sentence, and resolves with its failure; undefined if the sentence holds. */
async function failureOf(sentence: string, open: () => OpenedTaskStore): Promise<unknown> {
  const sentences = new Map<string, Show>();
  describeTaskStore('a store', open, {
    describe: (_, declare) => declare(),
    it: (each, show) => sentences.set(each, show),
  });
  const show = sentences.get(sentence);
  if (!show) throw new Error(`There is no test: ${sentence}`);
  return limited(show).then(
    () => undefined,
    (error: unknown) => error,
  );
}

class AlwaysReplaces extends MemoryTaskStore {
  override replace(task: StoredTask) {
    const before = this.read(task.id);
    return before ? super.replace({ ...task, version: before.version + 1 }) : false;
  }
}
class CreatesTwice extends MemoryTaskStore {
  override create(task: StoredTask, room: TaskRoom) {
    const before = this.read(task.id);
    if (before) this.remove(task.id, before.version);
    return super.create(task, room);
  }
}
class Counts16 extends MemoryTaskStore {
  override count(holder?: string) {
    const { unended, bytes } = super.count(holder);
    return { unended, bytes: Math.min(bytes, 65_535) };
  }
}
class CountsCharacters extends MemoryTaskStore {
  override count(holder?: string) {
    const { unended, bytes } = super.count(holder);
    return { unended, bytes: bytes > 2000 ? bytes / 2 : bytes };
  }
}
class GrowsWithoutLimit extends MemoryTaskStore {
  override replace(task: StoredTask) {
    return super.replace(task);
  }
}
class NeverShrinks extends MemoryTaskStore {
  override replace(task: StoredTask, room?: TextRoom) {
    const { bytes } = this.count();
    return room && bytes > room.bytes ? 'bytes' : super.replace(task, room);
  }
}
class IgnoresHolders extends MemoryTaskStore {
  override create(task: StoredTask, room: TaskRoom) {
    return super.create(task, { ...room, tasksPerHolder: Infinity });
  }
}
class CutsTexts extends MemoryTaskStore {
  override create(task: StoredTask, room: TaskRoom) {
    return super.create({ ...task, text: task.text.split('\u0000')[0] ?? '' }, room);
  }
}
class FindsLate extends MemoryTaskStore {
  override due(now: number, limit: number) {
    return super.due(now - 1, limit);
  }
}
class FindsBackwards extends MemoryTaskStore {
  override due(now: number, limit: number) {
    return [...super.due(now, limit)].reverse();
  }
}
class TellsNobody extends MemoryTaskStore {
  override watch(_: TaskChanged) {
    return () => undefined;
  }
}
class TellsForever extends MemoryTaskStore {
  override watch(changed: TaskChanged) {
    super.watch(changed);
    return () => undefined;
  }
}
class RemovesAny extends MemoryTaskStore {
  override remove(id: string, _: number) {
    return super.remove(id, this.read(id)?.version ?? 0);
  }
}

/** Reads, thinks, and writes: between two of those, others come. */
class DropsBeyondNeed extends MemoryTaskStore {
  override dropEnded(most: number, holder?: string) {
    return super.dropEnded(most, holder) && super.dropEnded(this.count(holder).bytes - 1, holder);
  }
}
/** Refuses a task that it has taken, in place of one that it has not. */
class RefusesAnother extends MemoryTaskStore {
  #taken: StoredTask | undefined;

  override create(task: StoredTask, room: TaskRoom) {
    const refusal = super.create(task, room);
    if (!this.#taken || refusal === undefined) {
      this.#taken ??= task;
      return refusal;
    }
    const { id, version } = this.#taken;
    this.remove(id, version);
    this.#taken = task;
    super.create(task, room);
    return refusal;
  }
}
class DropsNothing extends MemoryTaskStore {
  override dropEnded() {
    return true;
  }
}
class DropsOfOthers extends MemoryTaskStore {
  override dropEnded(most: number, holder?: string) {
    return super.dropEnded(most + (this.count().bytes - this.count(holder).bytes));
  }
}
class ReadsBefore extends MemoryTaskStore {
  async #later(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
  }

  override create(task: StoredTask, room: TaskRoom): never {
    const { unended, bytes } = this.count(task.holder);
    const all = this.count().unended;
    const answer = this.#later().then(() => {
      if (all >= room.tasks) return 'tasks';
      if (unended >= room.tasksPerHolder) return 'tasksPerHolder';
      if (bytes + task.text.length > room.bytesPerHolder) return 'bytesPerHolder';
      return super.create(task, {
        tasks: Infinity,
        tasksPerHolder: Infinity,
        bytesPerHolder: Infinity,
        bytes: Infinity,
      });
    });
    return answer as never;
  }
}

const MAKES_ROOM =
  'makes room by dropping tasks that have ended, the first to end first and no more than needed, if it can';

it.each<[string, TaskStore & object, string]>([
  ['replaces any version', new AlwaysReplaces(), 'replaces a task by its next version, and by no other'],
  ['creates a task twice', new CreatesTwice(), 'leaves a task as it is when it is created again'],
  ['counts in too few bits', new Counts16(), 'keeps every text as it is, and counts its bytes'],
  ['counts characters', new CountsCharacters(), 'keeps every text as it is, and counts its bytes'],
  [
    'lets texts grow',
    new GrowsWithoutLimit(),
    'lets a text grow while there is room, and leaves the task as it is otherwise',
  ],
  ['has no room for less', new NeverShrinks(), 'lets a text change that does not grow, however little room there is'],
  [
    'has no limit for a holder',
    new IgnoresHolders(),
    'names the first limit that a task would exceed, and keeps nothing of the task',
  ],
  ['cuts texts', new CutsTexts(), 'keeps every text as it is, and counts its bytes'],
  ['finds tasks too late', new FindsLate(), 'finds what is due, the earliest first, and no more than the limit'],
  ['finds the latest first', new FindsBackwards(), 'finds what is due, the earliest first, and no more than the limit'],
  ['tells nobody', new TellsNobody(), 'reports the changes of other processes'],
  ['tells those who have stopped', new TellsForever(), 'reports to every watcher until it stops'],
  ['removes any version', new RemovesAny(), 'removes a task that has the version, and no other'],
  ['drops more than is needed', new DropsBeyondNeed(), MAKES_ROOM],
  ['drops nothing', new DropsNothing(), MAKES_ROOM],
  ['drops tasks of others', new DropsOfOthers(), MAKES_ROOM],
  [
    'counts before it creates',
    new ReadsBefore(),
    'never has more tasks of a holder than the limit, however many are created at once',
  ],
  [
    'refuses another task than it says',
    new RefusesAnother(),
    'never has more tasks than the limit for all, however many are created at once',
  ],
])('a store that %s fails', async (_, { constructor }, sentence) => {
  expect(await failureOf(sentence, () => ({ store: new MemoryTaskStore() }))).toBeUndefined();
  const failure = await failureOf(sentence, () => ({ store: new (constructor as new () => TaskStore)() }));
  expect(failure).toMatchObject({ code: 'ERR_ASSERTION' });
});

it.each(['has a task as it was created, for every process', 'reports the changes of other processes'])(
  'a store that has everything alone fails where there are others: %s',
  async (sentence) => {
    const failure = await failureOf(sentence, () => ({ store: new MemoryTaskStore(), another: new MemoryTaskStore() }));
    expect(failure).toMatchObject({ code: 'ERR_ASSERTION' });
  },
);

it.each([
  ['holds', new MemoryTaskStore()],
  ['fails', new CutsTexts()],
])('what a test has opened is closed in its order, if the test %s', async (_, memory) => {
  const steps: string[] = [];
  const named = (name: string): TaskStore => ({
    isDurable: false,
    open: () => void steps.push(`open ${name}`),
    close: () => void steps.push(`close ${name}`),
    create: (task, room) => memory.create(task, room),
    read: (id) => memory.read(id),
    replace: (task, room) => memory.replace(task, room),
    remove: (id, version) => memory.remove(id, version),
    due: (now, limit) => memory.due(now, limit),
    count: (holder) => memory.count(holder),
    watch: (changed) => memory.watch(changed),
  });
  const failure = await failureOf('keeps every text as it is, and counts its bytes', () => ({
    store: named('one'),
    another: named('another'),
    close: () => void steps.push('end'),
  }));
  expect(failure === undefined).toBe(!(memory instanceof CutsTexts));
  expect(steps).toEqual(['open one', 'open another', 'close one', 'close another', 'end']);
});

it('a store that shows the tasks of other servers fails', async () => {
  const memory = new MemoryTaskStore();
  const sentence = 'shows nothing to a server of another name, or refuses it';
  const refuses = Object.assign(new MemoryTaskStore(), { open: () => Promise.reject(new Error('not yours')) });
  expect(await failureOf(sentence, () => ({ store: memory, foreign: refuses }))).toBeUndefined();
  expect(await failureOf(sentence, () => ({ store: memory, foreign: memory }))).toMatchObject({
    code: 'ERR_ASSERTION',
  });
});

it('the tests for stores need a test runner, and say so', () => {
  const { describe, it: declare } = globalThis;
  Object.assign(globalThis, { describe: undefined });
  try {
    expect(() => describeTaskStore('a store', () => ({ store: new MemoryTaskStore() }))).toThrow(
      expect.objectContaining({ code: 'SIGIL_TASKS_TEST_FRAMEWORK' }),
    );
  } finally {
    Object.assign(globalThis, { describe, it: declare });
  }
});
