/** The one way to wait with a limit: counts down, is brought forward, paused, stopped, and races a promise. */
import { ManualClock } from '@sigil-mcp/testing';
import { Deadline, LONGEST_TIMER, settleWithin } from '../src';

const never = new Promise<string>(() => undefined);
const late = (): Error => new Error('too late');

/** What has become of a promise so far. */
async function stateOf(promise: Promise<unknown>): Promise<unknown> {
  const state = promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error: (error as Error).message }),
  );
  await new Promise((resolve) => setImmediate(resolve));
  return Promise.race([state, Promise.resolve('pending')]);
}

describe('a deadline', () => {
  const clock = new ManualClock();
  afterEach(() => expect(clock.pending).toBe(0));

  it('rejects what it races once its time has passed, and not before', async () => {
    const raced = new Deadline(clock, 100).race(never, late);
    const state = stateOf(raced);
    await clock.advance(99);
    expect(await state).toBe('pending');
    await clock.advance(1);
    await expect(raced).rejects.toThrow('too late');
  });

  it.each([
    ['resolves', Promise.resolve('done'), { value: 'done' }],
    ['rejects', Promise.reject(new Error('its own')), { error: 'its own' }],
  ])('%s as the promise does that settles in time, and leaves no timer', async (_how, promise, state) => {
    expect(await stateOf(new Deadline(clock, 100).race(promise, late))).toEqual(state);
    expect(clock.pending).toBe(0);
  });

  it('lets the promise settle in its own time once it was stopped', async () => {
    let settle: (value: string) => void = () => undefined;
    const deadline = new Deadline(clock, 100);
    const raced = deadline.race(new Promise<string>((resolve) => (settle = resolve)), late);
    deadline.stop();
    expect(clock.pending).toBe(0);
    await clock.advance(1000);
    settle('at last');
    await expect(raced).resolves.toBe('at last');
  });

  it('never settles what it races once that was abandoned', async () => {
    const deadline = new Deadline(clock, 100);
    const raced = deadline.race(Promise.resolve('done'), late);
    deadline.abandon();
    expect(clock.pending).toBe(0);
    await clock.advance(1000);
    expect(await stateOf(raced)).toBe('pending');
  });

  it('stands still as long as any of several pauses lasts', async () => {
    const deadline = new Deadline(clock, 100);
    const raced = stateOf(deadline.race(never, late));
    await clock.advance(60);
    deadline.pause();
    deadline.pause();
    deadline.resume();
    expect(clock.pending).toBe(0);
    await clock.advance(1000);
    deadline.resume();
    expect(deadline.left).toBe(40);
    expect(await raced).toBe('pending');
    await clock.advance(40);
    expect(deadline.left).toBe(0);
  });

  it('is brought forward, and never back', async () => {
    const deadline = new Deadline(clock);
    const settled = deadline.settles(never);
    expect(clock.pending).toBe(0);
    deadline.within(100);
    deadline.within(50);
    deadline.within(80);
    expect(deadline.left).toBe(50);
    await clock.advance(50);
    await expect(settled).resolves.toBe(false);
  });

  it('stays stopped if it is brought forward after that', () => {
    const deadline = new Deadline(clock);
    void deadline.settles(never);
    deadline.stop();
    deadline.within(50);
    expect(clock.pending).toBe(0);
  });

  it.each([Infinity, LONGEST_TIMER + 1])('has no timer for %s milliseconds, which none can hold', (milliseconds) => {
    void new Deadline(clock, milliseconds).settles(never);
    expect(clock.pending).toBe(0);
  });

  it('says whether a promise settles in time, be it resolved or rejected', async () => {
    await expect(settleWithin(100, Promise.resolve(), clock)).resolves.toBe(true);
    await expect(settleWithin(100, Promise.reject(new Error('no')), clock)).resolves.toBe(true);
    const settled = settleWithin(100, never, clock);
    await clock.advance(100);
    await expect(settled).resolves.toBe(false);
  });
});
