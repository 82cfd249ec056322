/** What was opened with a token ends with it, by one timer for all. */
import { Expiries } from '../src/kernel/expiries';

beforeEach(() => void jest.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void jest.useRealTimers());

it('ends each in its time and once, and what was taken back never', () => {
  const expiries = new Expiries();
  const ended: string[] = [];
  const add = (name: string, after: number) => expiries.add(Date.now() + after, () => void ended.push(name));
  add('late', 10_000);
  add('soon', 1000);
  add('soon, too', 1000);
  const takeBack = add('never', 500);
  expect(jest.getTimerCount()).toBe(1);
  takeBack();
  takeBack();
  jest.advanceTimersByTime(999);
  expect(ended).toEqual([]);
  jest.advanceTimersByTime(100);
  expect(ended).toEqual(['soon', 'soon, too']);
  jest.advanceTimersByTime(9000);
  expect(ended).toEqual(['soon', 'soon, too', 'late']);
  expect([expiries.size, jest.getTimerCount()]).toEqual([0, 0]);
});

it('waits for years, but not for ever, and for nothing once it was cleared', () => {
  const expiries = new Expiries();
  const end = jest.fn();
  const century = 100 * 365 * 24 * 3600 * 1000;
  expiries.add(undefined, end);
  expiries.add(Infinity, end);
  expiries.add(NaN, end);
  expect(jest.getTimerCount()).toBe(0);
  expiries.add(Date.now() + century, end);
  jest.advanceTimersByTime(2_147_483_647 * 2);
  expect([end.mock.calls.length, jest.getTimerCount()]).toEqual([0, 1]);
  expiries.add(Date.now() - 1, end);
  jest.advanceTimersByTime(60);
  expect(end).toHaveBeenCalledTimes(1);
  expiries.clear();
  expect([expiries.size, jest.getTimerCount()]).toEqual([0, 0]);
});

it('lets what ends add and take back others', () => {
  const expiries = new Expiries();
  const ended: string[] = [];
  const at = Date.now() + 100;
  const others = [expiries.add(at, () => void ended.push('other'))];
  expiries.add(at - 60, () => {
    others.forEach((takeBack) => takeBack());
    expiries.add(at, () => void ended.push('added'));
  });
  jest.advanceTimersByTime(300);
  expect(ended).toEqual(['added']);
});
