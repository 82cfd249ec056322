/** Time that a test moves. */
import { ManualClock } from '../src/time/manual-clock';

describe('a manual clock', () => {
  it('stands still until it is advanced, and makes each call at its own moment', async () => {
    const clock = new ManualClock(1000);
    const calls: [string, number, number][] = [];
    const note = (name: string) => () => void calls.push([name, clock.elapsed(), clock.now()]);
    clock.after(30, note('later'));
    clock.after(10, note('sooner'));
    clock.every(20, note('again')).unref();
    await clock.advance(9);
    expect(calls).toEqual([]);
    await clock.advance(31);
    expect(calls).toEqual([
      ['sooner', 10, 1010],
      ['again', 20, 1020],
      ['later', 30, 1030],
      ['again', 40, 1040],
    ]);
    expect([clock.elapsed(), clock.pending]).toEqual([40, 1]);
  });

  it('makes calls that were added while it advanced, and none that was taken back', async () => {
    const clock = new ManualClock();
    const calls: number[] = [];
    const taken = clock.after(25, () => calls.push(-1));
    clock.after(10, () => {
      taken.close();
      void Promise.resolve().then(() => clock.after(10, () => calls.push(clock.elapsed())));
    });
    await clock.advance(30);
    expect([calls, clock.pending]).toEqual([[20], 0]);
  });

  it('keeps what is measured apart from the date, which may be set back', async () => {
    const clock = new ManualClock(5000);
    await clock.advance(10);
    clock.setDate(100);
    expect([clock.elapsed(), clock.now()]).toEqual([10, 100]);
    await clock.advance(5);
    expect([clock.elapsed(), clock.now()]).toEqual([15, 105]);
  });
});
