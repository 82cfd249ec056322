/** The context of work that belongs to no request, and that of timers. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { RequestClock } from '@sigil-mcp/base';
import { ManualClock } from '@sigil-mcp/testing';
import { clockOfCallers, clockOutside, outsideRequests } from '../src/values/outside-requests';

const storage = new AsyncLocalStorage<string>();
const who = (): string | undefined => storage.getStore();

it('runs a function in the context of the moment at which it was captured', async () => {
  const outside = storage.run('program', outsideRequests);
  const seen = await storage.run('ada', () =>
    outside(async () => {
      const before = who();
      await Promise.resolve();
      return [before, who()];
    }),
  );
  expect(seen).toEqual(['program', 'program']);
  expect(storage.run('ada', () => [outside(who), who()])).toEqual(['program', 'ada']);
  expect(() => outside(() => JSON.parse('{'))).toThrow(SyntaxError);
});

it('a promise goes on in the context of the code that awaits it', async () => {
  const outside = storage.run('program', outsideRequests);
  const seen = await storage.run('ada', async () => {
    await outside(() => Promise.resolve());
    return who();
  });
  expect(seen).toBe('ada');
});

it('timers of a server call back outside of the request that sets them', async () => {
  const clock = new ManualClock();
  const own = storage.run('program', () => clockOutside(clock));
  const seen: (string | undefined)[] = [];
  storage.run('ada', () => own.after(10, () => seen.push(who())));
  const timer = storage.run('ada', () => own.every(10, () => seen.push(who())));
  await storage.run('eve', () => clock.advance(20));
  timer.close();
  expect(seen).toEqual(['program', 'program', 'program']);
  expect([own.now(), own.elapsed()]).toEqual([clock.now(), clock.elapsed()]);
  expect(own.attend).toBeUndefined();
});

it('timers of a platform that runs them with a later request call back in the context of none', async () => {
  const platform = new ManualClock();
  const clock = storage.run('program', () => clockOfCallers(new RequestClock(platform)));
  const seen: (string | undefined)[] = [];
  storage.run('ada', () => clock.after(1000, () => seen.push(who())));
  storage.run('bob', () => clock.every(1000, () => seen.push(who())));
  await storage.run('eve', async () => {
    const leave = clock.attend?.();
    await platform.advance(1000);
    leave?.();
  });
  expect(new Set(seen)).toEqual(new Set(['program']));
  expect(clockOfCallers(platform)).toBe(platform);
});
