/** The clock of the machine, with the timers of the platform. */
import { LONGEST_TIMER, RequestClock, systemClock } from '../src';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

// A timer of the platform fires at once with more than it can hold.
it.each([LONGEST_TIMER + 1, 30 * 24 * 60 * 60 * 1000, Infinity])('waits with %s milliseconds', (milliseconds) => {
  const set = [jest.spyOn(globalThis, 'setTimeout'), jest.spyOn(globalThis, 'setInterval')];
  for (const clock of [systemClock, new RequestClock()]) {
    clock.after(milliseconds, () => undefined).close();
    clock.every(milliseconds, () => undefined).close();
  }
  const times = set.flatMap(({ mock }) => mock.calls.map(([, time]) => time));
  expect(times).toEqual([LONGEST_TIMER, LONGEST_TIMER, LONGEST_TIMER]);
});

it('calls back in its time, once or again and again, and not after it was closed', () => {
  const called: string[] = [];
  systemClock.after(10, () => called.push('once'));
  const every = systemClock.every(10, () => called.push('again'));
  jest.advanceTimersByTime(25);
  every.close();
  jest.advanceTimersByTime(25);
  expect(called).toEqual(['once', 'again', 'again']);
});
