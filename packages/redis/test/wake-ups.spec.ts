/** The connection for published messages serves everybody: nothing of it runs in the request that opens it. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { ManualClock } from '@sigil-mcp/testing';
import type { RedisConnection, SubscriberEvents } from '../src/clients/redis-connection';
import { WakeUps } from '../src/wake-ups';

it('opens its connection, and wakes, outside of requests', async () => {
  const storage = new AsyncLocalStorage<string>();
  const seen: string[] = [];
  const see = (what: string): void => void seen.push(`${what}: ${storage.getStore() ?? 'nobody'}`);
  let events: SubscriberEvents | undefined;
  const connection = {
    openSubscriber(given: SubscriberEvents) {
      see('opened');
      events = given;
      const done = () => Promise.resolve();
      return { opened: done(), isReady: true, subscribe: done, unsubscribe: done, close: () => undefined };
    },
  } as unknown as RedisConnection;
  const clock = new ManualClock();
  const wakeUps = storage.run(
    'program',
    () => new WakeUps(connection, { commandTimeout: 1000, interval: 1000, clock }),
  );
  const stop = await storage.run('ada', () => wakeUps.watch('channel', (message) => see(message ?? 'looked')));
  storage.run('eve', () => events?.heard('channel', 'heard'));
  await storage.run('eve', () => clock.advance(1000));
  storage.run('eve', () => events?.ready());
  await new Promise(setImmediate);
  stop();
  wakeUps.close();
  expect(seen).toEqual(['opened: program', 'heard: program', 'looked: program', 'looked: program']);
});
