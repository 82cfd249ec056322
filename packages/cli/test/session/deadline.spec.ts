/** The time limit for connecting stands still while the user answers. */
import { ManualClock } from '@sigil-mcp/testing';
import { ConnectDeadline } from '../../src/session/deadline';

async function hasPassed({ passed }: ConnectDeadline): Promise<boolean> {
  const turn = new Promise<boolean>((resolve) => setImmediate(resolve, false));
  return Promise.race([passed.then(() => true), turn]);
}

/** Work that ends when a test says so. */
function held(): { readonly work: () => Promise<string>; readonly end: () => void } {
  let end = (): void => undefined;
  const done = new Promise<string>((resolve) => (end = () => resolve('done')));
  return { work: () => done, end };
}

it('passes after its time, and not before', async () => {
  const clock = new ManualClock();
  const deadline = new ConnectDeadline(1000, clock);
  await clock.advance(999);
  expect(await hasPassed(deadline)).toBe(false);
  await clock.advance(1);
  expect(await hasPassed(deadline)).toBe(true);
});

it('stands still during other work, also if that begins twice, and goes on with what was left', async () => {
  const clock = new ManualClock();
  const deadline = new ConnectDeadline(1000, clock);
  await clock.advance(400);
  const [first, second] = [held(), held()];
  const works = [deadline.hold(first.work), deadline.hold(second.work)];
  await clock.advance(60_000);
  first.end();
  await clock.advance(60_000);
  second.end();
  expect(await Promise.all(works)).toEqual(['done', 'done']);
  await clock.advance(599);
  expect(await hasPassed(deadline)).toBe(false);
  await clock.advance(1);
  expect(await hasPassed(deadline)).toBe(true);
});

it('goes on after work that fails', async () => {
  const clock = new ManualClock();
  const deadline = new ConnectDeadline(1000, clock);
  await expect(deadline.hold(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  await clock.advance(1000);
  expect(await hasPassed(deadline)).toBe(true);
});

it('never passes once it is cleared, and leaves no timer', async () => {
  const clock = new ManualClock();
  const deadline = new ConnectDeadline(1000, clock);
  const { work, end } = held();
  const working = deadline.hold(work);
  deadline.clear();
  end();
  await working;
  await clock.advance(60_000);
  expect([await hasPassed(deadline), clock.pending]).toEqual([false, 0]);
});
