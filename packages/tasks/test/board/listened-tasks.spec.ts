/** Subscriptions to tasks of a shared store: every change is told once, also one that happens while a subscription begins. */
import { MemoryTaskStore } from '@sigil-mcp/tasks';
import { ManualClock } from '@sigil-mcp/testing';
import { turn } from '../../../../test/support/turn';
import { TaskBoard } from '../../src/board';
import type { TaskState } from '../../src/record/task-state';
import { cancel, claim, newTask, report } from '../../src/record/transitions';
import { ListenedTasks } from '../../src/served/listened-tasks';

const ROOM = { tasks: Infinity, tasksPerHolder: Infinity, bytesPerHolder: Infinity, bytes: Infinity };
const DAY = 86_400_000;
const ID = 'a'.repeat(22);
const CALLER = { id: 'someone', kind: 'local' } as const;

const clock = new ManualClock();
let board: TaskBoard;
let listened: ListenedTasks;
const told: string[] = [];
const wordsOf = ({ status, message }: TaskState): string => [status, message].filter(Boolean).join(': ');
beforeEach(async () => {
  told.length = 0;
  const parts = { room: ROOM, time: clock, sealer: undefined, changed: () => undefined, unreadable: () => undefined };
  board = new TaskBoard({ store: new MemoryTaskStore(), ...parts });
  listened = new ListenedTasks(board, (state) => told.push(wordsOf(state)));
  const memory = { callId: 'call', answers: {}, kept: {} };
  const call = { revision: '2026-07-28', method: 'tools/call', params: {}, meta: {}, caller: CALLER, memory } as const;
  const rest = { tool: 'tool', owner: null, holder: 'h', ttl: DAY, pollInterval: 1000, retries: 0 };
  await board.create(newTask({ ...rest, id: ID, call }, clock.now()));
});

const read = async (ids: readonly string[]): Promise<readonly TaskState[]> =>
  (await Promise.all(ids.map((id) => board.read(id)))).filter((state) => state !== undefined);

/** A worker of another process says what it does. */
async function say(message: string): Promise<void> {
  const state = await board.change(ID, (before, now) => claim(before, 'worker', DAY, now) ?? before);
  await board.change(ID, (before, now) => report(before, state?.fence ?? 0, message, now));
}

it('tells a change once, however often it is announced', async () => {
  await say('begun');
  expect((await listened.begin([ID], read, new AbortController().signal)).map(wordsOf)).toEqual(['working: begun']);
  await listened.changed(ID);
  await say('half');
  for (let times = 0; times < 3; times += 1) await listened.changed(times === 2 ? undefined : ID);
  expect(told).toEqual(['working: half']);
});

it('begins with what has changed while the tasks were read', async () => {
  await say('begun');
  let reads = 0;
  const slow: typeof read = async (ids) => {
    const states = await read(ids);
    reads += 1;
    if (reads < 3) {
      // It is announced before anybody listens.
      await say(`step ${reads}`);
      await listened.changed(reads === 1 ? ID : undefined);
    }
    return states;
  };
  const states = await listened.begin([ID, 'b'.repeat(22)], slow, new AbortController().signal);
  expect([states.map(wordsOf), told, reads]).toEqual([['working: step 2'], [], 3]);
  await say('after');
  await listened.changed(ID);
  expect(told).toEqual(['working: after']);
});

it('begins with what this process has changed itself meanwhile, and leaves out what was removed', async () => {
  const slow: typeof read = async (ids) => {
    const states = await read(ids);
    const ended = states[0]?.status === 'working' ? await board.change(ID, cancel) : undefined;
    if (ended) listened.told(ended);
    return states;
  };
  const states = await listened.begin([ID], slow, new AbortController().signal);
  expect(states.map(({ status }) => status)).toEqual(['cancelled']);
});

it('tells nothing of what no subscription names any more', async () => {
  const [first, second] = [new AbortController(), new AbortController()];
  await listened.begin([ID], read, first.signal);
  await listened.begin([ID], read, second.signal);
  first.abort();
  await say('one listens');
  await listened.changed(ID);
  second.abort();
  await say('nobody listens');
  await listened.changed(ID);
  const late = new AbortController();
  const beginning = listened.begin([ID], read, late.signal);
  late.abort();
  await beginning;
  await turn();
  await say('nobody listens');
  await listened.changed(ID);
  expect(told).toEqual(['working: one listens']);
});

it('does not read a task any more whose time is over', async () => {
  await board.change(ID, cancel);
  await clock.advance(DAY - 1);
  expect(await board.read(ID)).toBeDefined();
  await clock.advance(DAY);
  expect(await board.read(ID)).toBeUndefined();
});
