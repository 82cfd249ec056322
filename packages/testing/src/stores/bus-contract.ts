/** The contract of a bus between instances. */
import { deepEqual, equal } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BusListener, MaybePromise, Stores } from '@sigil-mcp/core/stores';
import { atOnce, fresh, until, type Contract } from './suite';

/** What one instance has heard. */
class Instance implements BusListener {
  readonly id = fresh('instance');
  readonly messages: string[] = [];
  readonly changes: string[] = [];
  misses = 0;
  leave: () => MaybePromise<void> = () => undefined;

  static async join({ bus }: Stores): Promise<Instance> {
    const instance = new Instance();
    instance.leave = await bus.join(instance.id, instance);
    return instance;
  }

  message(text: string): void {
    this.messages.push(text);
  }

  change(text: string): void {
    this.changes.push(text);
  }

  missed(): void {
    this.misses++;
  }
}

const numbered = (word: string): string[] => Array.from({ length: 200 }, (_, index) => `${word} ${index} 🎈`);

/** What a bus must do. */
export const BUS_CONTRACT: Contract = {
  'tells all who have joined of each change, once and in one order': async (stores, other) => {
    await stores.bus.announce('before');
    const [a, b] = [await Instance.join(stores), await Instance.join(other)];
    const changes = numbered('change');
    await atOnce(changes, (change) => stores.bus.announce(change));
    await until(() => a.changes.length >= changes.length && b.changes.length >= changes.length);
    deepEqual([a.changes, b.changes, a.misses, b.misses], [changes, changes, 0, 0]);
    await atOnce([a, b], (each) => each.leave());
  },
  'brings messages to the one that they are for, once and in their order': async (stores, other) => {
    const [a, b] = [await Instance.join(stores), await Instance.join(stores)];
    const messages = numbered('message');
    const sent = await atOnce(messages, (message) => other.bus.send(a.id, message));
    await until(() => a.messages.length >= messages.length);
    deepEqual([a.messages, b.messages, [...new Set(sent)]], [messages, [], [true]]);
    await atOnce([a, b], (each) => each.leave());
  },
  'knows who is alive, and takes no message for others': async (stores, other) => {
    const a = await Instance.join(stores);
    deepEqual([await other.bus.isAlive(a.id), await stores.bus.isAlive('nobody')], [true, false]);
    equal(await stores.bus.send('nobody', 'lost'), false);
    await a.leave();
    equal(await stores.bus.isAlive(a.id), false);
    equal(await other.bus.send(a.id, 'late'), false);
    await stores.bus.announce('late');
    await sleep(100);
    deepEqual([a.messages, a.changes], [[], []]);
  },
};
