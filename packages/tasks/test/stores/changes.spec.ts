/** The order in which a change of a process is known from its command, from its message, and from a subscription that has just begun. */
import type { WakeUps } from '@sigil-mcp/redis/adapter';
import { ManualClock } from '@sigil-mcp/testing';
import fc from 'fast-check';
import { Changes } from '../../src/stores/redis/changes';
import { runs } from '../../../../test/support/matrix';

/** A subscription whose messages and whose confirmation come when the test says so. */
class Subscription {
  wake: ((message: string | undefined) => void) | undefined;
  confirm: () => void = () => undefined;

  watch(_channel: string, wake: (message: string | undefined) => void): Promise<() => void> {
    this.wake = wake;
    return new Promise((resolve) => (this.confirm = () => resolve(() => undefined)));
  }

  close(): void {}
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('reports each change of its own once, in whatever order command, message and confirmation come', async () => {
  const events = ['command', 'message', 'confirmation', 'turn'] as const;
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray([...events], { minLength: 2 }), async (order) => {
      const subscription = new Subscription();
      const changes = new Changes(subscription as unknown as WakeUps, ['channel'], new ManualClock());
      const calls: string[] = [];
      const stop = changes.watch((id, version) => id !== undefined && calls.push(`${id} ${version}`));
      const change = changes.next('task', 1);
      for (const event of order) {
        if (event === 'command') changes.done(change, 'task', 1);
        if (event === 'message') subscription.wake?.(change.message);
        if (event === 'confirmation') subscription.confirm();
        if (event === 'turn') await turn();
      }
      await turn();
      expect(calls).toEqual(order.includes('command') || order.includes('message') ? ['task 1'] : []);
      stop();
    }),
    { numRuns: runs(100) },
  );
});

it('keeps no more of changes whose messages are lost than may be on their way', async () => {
  const subscription = new Subscription();
  const changes = new Changes(subscription as unknown as WakeUps, ['channel'], new ManualClock());
  const calls: number[] = [];
  const stop = changes.watch((_, version) => calls.push(version));
  const all = Array.from({ length: 20_000 }, (_, index) => changes.next('task', index + 1));
  all.forEach((change, index) => changes.done(change, 'task', index + 1));
  // The message of the last one is still known, that of the first one no longer.
  subscription.wake?.(all.at(-1)?.message);
  expect(calls).toHaveLength(20_000);
  subscription.wake?.(all[0]?.message);
  expect(calls).toHaveLength(20_001);
  stop();
});

it('tries a subscription that failed again after a while, but not once nobody watches any more', async () => {
  const clock = new ManualClock();
  let tried = 0;
  const away = { watch: () => (tried++, Promise.reject(new Error('away'))), close: () => undefined };
  const changes = new Changes(away as unknown as WakeUps, ['channel'], clock);
  const stop = changes.watch(() => undefined);
  await turn();
  await clock.advance(1000);
  await turn();
  expect(tried).toBe(2);
  stop();
  await clock.advance(5000);
  await turn();
  expect(tried).toBe(2);
});
