/** What time makes of a task, at the millisecond at which it does. */
import { cancel, claim, isOver, isQueued, newTask, pass, report } from '../src/record/transitions';

const NOW = 1_800_000_000_000;
const HOUR = 3_600_000;
const CALLER = { id: 'someone', kind: 'local' } as const;
const memory = { callId: 'call', answers: {}, kept: {} };
const call = { revision: '2026-07-28', method: 'tools/call', params: {}, meta: {}, caller: CALLER, memory } as const;
const rest = { tool: 'tool', owner: null, holder: 'h', pollInterval: 1000, retries: 0 };
const task = newTask({ ...rest, id: 'a', call, ttl: HOUR }, NOW);
const run = claim(task, 'worker', 5000, NOW);

it('says that it waits for a worker when it has waited for a second', () => {
  expect([999, 1000].map((passed) => isQueued(task, NOW + passed))).toEqual([false, true]);
  expect(run && isQueued(run, NOW + 1000)).toBe(false);
});

it('is taken when it is ready, and not before; what a worker has is taken by another at the end of the lease', () => {
  const later = { ...task, readyAt: NOW + 10 };
  expect([9, 10].map((passed) => claim(later, 'worker', 5000, NOW + passed) !== undefined)).toEqual([false, true]);
  const again = run && { ...run, retries: 1 };
  const taken = [4999, 5000].map((passed) => again && claim(again, 'another', 5000, NOW + passed));
  expect(taken).toEqual([undefined, expect.objectContaining({ retries: 0, fence: 2 })]);
});

it('is kept until its time has ended, or five minutes from its own end if that is later', () => {
  for (const [ended, over] of [
    [1000, HOUR],
    [HOUR - 1000, HOUR + 299_000],
  ] as const) {
    const state = cancel(task, NOW + ended);
    expect([over - 1, over].map((passed) => state && isOver(state, NOW + passed))).toEqual([false, true]);
  }
});

it('fails at the end of its time, from which on nobody takes it', () => {
  expect(pass(task, NOW + HOUR - 1)).toBeUndefined();
  expect(pass(task, NOW + HOUR)).toMatchObject({ status: 'failed' });
  expect(claim(task, 'worker', 5000, NOW + HOUR - 1)).toBeDefined();
  expect(claim(task, 'worker', 5000, NOW + HOUR)).toBeUndefined();
});

it('is not written again for a progress that it has', () => {
  const half = run && report(run, run.fence, 'half', NOW);
  expect(half).toMatchObject({ message: 'half' });
  expect(half && report(half, half.fence, 'half', NOW + 1)).toBeUndefined();
  expect(half && report(half, half.fence, 'done', NOW + 1)).toMatchObject({ message: 'done', updatedAt: NOW + 1 });
});
