/** Tasks that a process cannot open, because it does not have the secret: they do not block others, and are removed late. */
import type { Sealer } from '@sigil-mcp/core';
import { MemoryTaskStore } from '@sigil-mcp/tasks';
import { ManualClock } from '@sigil-mcp/testing';
import { TaskBoard } from '../../src/board';
import { cancel, newTask } from '../../src/record/transitions';

const ROOM = { tasks: Infinity, tasksPerHolder: Infinity, bytesPerHolder: Infinity, bytes: Infinity };
const DAY = 86_400_000;
const CALLER = { id: 'someone', kind: 'local' } as const;

/** Opens what was sealed with one of its secrets, and seals with the first of them. */
function sealerOf(...secrets: readonly [string, ...string[]]): Sealer {
  return {
    seal: (text) => `${secrets[0]} ${text}`,
    open: (sealed) => {
      const secret = secrets.find((each) => sealed.startsWith(`${each} `));
      return secret && sealed.slice(secret.length + 1);
    },
  };
}

/** Two instances with one store: `rotated` has the new secret already, and `behind` has not. */
class Rotation {
  readonly clock = new ManualClock();
  readonly store = new MemoryTaskStore();
  warnings = 0;
  readonly rotated = this.#board(sealerOf('new', 'old'));
  readonly behind = this.#board(sealerOf('old'));

  /** Creates tasks, one each millisecond. Returns their ids. */
  async create(board: TaskBoard, count: number, letter: string): Promise<string[]> {
    const ids = Array.from({ length: count }, (_, index) => letter + `${index}`.padStart(21, '0'));
    for (const id of ids) {
      await board.create(taskOf(id, this.clock.now()));
      await this.clock.advance(1);
    }
    return ids;
  }

  /** Looks at what is due, as a worker does. Returns what could be taken. */
  async look(board: TaskBoard): Promise<string[]> {
    const taken: string[] = [];
    for (const id of await board.due(10))
      if (await board.attend(id, (state, now) => cancel(state, now))) taken.push(id);
    return taken;
  }

  #board(sealer: Sealer): TaskBoard {
    const { clock, store } = this;
    return new TaskBoard({
      room: ROOM,
      store,
      time: clock,
      sealer,
      changed: () => undefined,
      unreadable: () => this.warnings++,
    });
  }
}

function taskOf(id: string, now: number) {
  const memory = { callId: 'call', answers: {}, kept: {} };
  const call = { revision: '2026-07-28', method: 'tools/call', params: {}, meta: {}, caller: CALLER, memory } as const;
  const rest = { tool: 'tool', owner: null, holder: 'h', ttl: DAY, pollInterval: 1000, retries: 0 };
  return newTask({ ...rest, id, call }, now);
}

it('tasks that cannot be opened do not block those that are due after them', async () => {
  const rotation = new Rotation();
  const { rotated, behind } = rotation;
  await rotation.create(rotated, 35, 'a');
  const readable = await rotation.create(behind, 5, 'b');
  const taken: string[] = [];
  for (let looks = 0; looks < 5; looks++) taken.push(...(await rotation.look(behind)));
  expect(taken).toEqual(readable);
  expect(rotation.warnings).toBe(35);
});

it('tasks that one instance cannot open are there for the others, and for it once they were sealed again', async () => {
  const rotation = new Rotation();
  const { rotated, behind, store, clock } = rotation;
  const [id = ''] = await rotation.create(rotated, 1, 'a');
  expect(await rotation.look(behind)).toEqual([]);
  const stored = store.read(id);
  expect(stored).toMatchObject({ version: 1 });
  const old = new TaskBoard({
    room: ROOM,
    ...{ store, time: clock, sealer: sealerOf('old', 'new') },
    ...{ changed: () => undefined, unreadable: () => undefined },
  });
  const stop = behind.watch(() => undefined);
  await old.change(id, (state) => state);
  expect(await rotation.look(behind)).toEqual([id]);
  stop();
});

it('tasks that cannot be opened are looked at again after ten minutes, without a message', async () => {
  const rotation = new Rotation();
  const { rotated, behind, clock } = rotation;
  await rotation.create(rotated, 3, 'a');
  for (let looks = 0; looks < 3; looks++) await rotation.look(behind);
  expect(rotation.warnings).toBe(3);
  await clock.advance(600_000);
  await rotation.look(behind);
  expect(rotation.warnings).toBe(6);
});

it('tasks that cannot be opened are removed three days after they were due, and not before', async () => {
  const rotation = new Rotation();
  const { rotated, behind, store, clock } = rotation;
  const [id = ''] = await rotation.create(rotated, 1, 'a');
  const { dueAt } = store.read(id) ?? { dueAt: 0 };
  await rotation.look(behind);
  await clock.advance(dueAt + 3 * DAY - 1 - clock.now());
  await rotation.look(behind);
  expect(store.read(id)).toBeDefined();
  await clock.advance(1);
  await rotation.look(behind);
  expect(store.count()).toEqual({ unended: 0, bytes: 0 });
});

it('a task that has ended is removed when its time is over, also where it cannot be opened', async () => {
  const rotation = new Rotation();
  const { rotated, behind, store, clock } = rotation;
  const [id = ''] = await rotation.create(rotated, 1, 'a');
  expect(await rotation.look(rotated)).toEqual([id]);
  await clock.advance(DAY - 10);
  await rotation.look(behind);
  expect(store.read(id)).toBeDefined();
  await clock.advance(10);
  await rotation.look(behind);
  expect(store.read(id)).toBeUndefined();
});
