/** A pulse renews of each thing by itself that it is in use. */
import { ManualClock } from '@sigil-mcp/testing';
import { Pulse } from '../src/sessions/pulse';

it('speaks for all others where it cannot speak for one, be it that this fails at once, later or never', async () => {
  const clock = new ManualClock();
  const said: string[] = [];
  const renew = (one: string): Promise<void> => {
    said.push(one);
    if (one === 'throws') throw new Error('at once');
    if (one === 'rejects') return Promise.reject(new Error('later'));
    return one === 'hangs' ? new Promise(() => undefined) : Promise.resolve();
  };
  const inUse = ['throws', 'rejects', 'hangs', ...Array.from({ length: 200 }, (_, index) => `${index}`)];
  const pulse = new Pulse({ interval: 100, inUse: () => inUse, renew, clock });
  await clock.advance(100);
  expect(said.sort()).toEqual([...inUse].sort());
  await clock.advance(300);
  expect(said.filter((one) => one === '199').length).toBeGreaterThan(1);
  pulse.stop();
});

it('waits for a beat that takes long, renews nothing in between, and nothing once it is stopped', async () => {
  const clock = new ManualClock();
  let beats = 0;
  const room: (() => void)[] = [];
  const renew = (): Promise<void> => {
    beats++;
    return new Promise((resolve) => room.push(resolve));
  };
  const pulse = new Pulse({ interval: 100, inUse: () => ['one'], renew, clock });
  await clock.advance(250);
  expect(beats).toBe(1);
  room.shift()?.();
  await clock.advance(100);
  expect(beats).toBe(2);
  pulse.stop();
  room.shift()?.();
  await clock.advance(500);
  expect([beats, clock.pending]).toEqual([2, 0]);
});
