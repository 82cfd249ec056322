/** The account of held memory: a share for each client, a sum for all, and what is dropped before something is refused. */
import fc from 'fast-check';
import { Account } from '../src/limits/account';
import { LOCAL_CLIENT } from '../src/limits/client-key';
import { DROPPED, type Holding, type Keeper } from '../src/limits/held-account';

const accountOf = (held: number, heldPerClient: number): Account => new Account({ held, heldPerClient });

/** Keeps things of clients that can be dropped, the oldest first. */
class Shelf implements Keeper {
  readonly things: { readonly client: string; readonly bytes: number }[] = [];
  readonly #held = new Map<string, Holding>();

  constructor(
    private readonly account: Account,
    readonly order: number,
    private readonly kind: string,
  ) {
    account.keep(this);
  }

  put(client: string, bytes: number): boolean {
    const held = this.#held.get(client) ?? this.account.hold(client, this.kind);
    this.#held.set(client, held);
    if (held.grow(bytes)) return false;
    this.things.push({ client, bytes });
    return true;
  }

  droppable(client: string | undefined): number {
    return this.things
      .filter((thing) => thing.client === (client ?? thing.client))
      .reduce((sum, { bytes }) => sum + bytes, 0);
  }

  drop(bytes: number, client: string | undefined): void {
    let missing = bytes;
    for (const thing of this.things.filter((each) => each.client === (client ?? each.client))) {
      if (missing <= 0) return;
      this.things.splice(this.things.indexOf(thing), 1);
      this.#held.get(thing.client)?.add(-thing.bytes);
      missing -= thing.bytes;
    }
  }
}

it('what an extension keeps is part of the share of its client, with its calls', () => {
  const account = accountOf(10_000, 1000);
  const load = account.loadOf('ada');
  const giveBack = account.take(load, 'calls', 600);
  const kept = account.hold('ada', 'notes');
  expect([kept.grow(400), kept.grow(1), account.all, account.loadOf('ada').weight]).toEqual([
    undefined,
    'heldPerClient',
    1000,
    1000,
  ]);
  giveBack();
  expect([kept.grow(600), kept.bytes, account.kinds]).toEqual([
    undefined,
    1000,
    expect.objectContaining({ calls: 0, notes: 1000 }),
  ]);
  kept.release();
  expect([account.all, account.clients]).toEqual([0, 0]);
});

it('what is kept leaves a quarter of the sum to small calls, and a local client has no share', () => {
  const account = accountOf(1000, 300);
  expect(account.hold(LOCAL_CLIENT, 'notes').grow(750)).toBeUndefined();
  expect(account.hold('eve', 'notes').grow(1)).toBe('held');
  expect(() => account.check(account.loadOf('eve'), 'calls', 250)).not.toThrow();
  expect(() => account.check(account.loadOf('eve'), 'calls', 251)).toThrow('(limits.held)');
  expect(() => account.check(account.loadOf('eve'), 'sessions', 1)).toThrow('(limits.held)');
});

it('what can be dropped is dropped in its order, the oldest first, before something is refused', () => {
  const account = accountOf(1000, 1000);
  const rests = new Shelf(account, DROPPED.rests, 'rests');
  const results = new Shelf(account, DROPPED.results, 'tasks');
  for (const [index, shelf] of [rests, results, rests, results].entries()) shelf.put(`client-${index}`, 180);
  expect(account.hold('eve', 'notes').grow(200)).toBeUndefined();
  expect([results.things, rests.things].map((things) => things.map(({ client }) => client))).toEqual([
    ['client-3'],
    ['client-0', 'client-2'],
  ]);
  expect(account.hold('eve', 'notes').grow(500)).toBeUndefined();
  expect([results.things, rests.things].map((things) => things.length)).toEqual([0, 0]);
});

it('a client beyond its share loses what is its own, and nobody else anything', () => {
  const account = accountOf(10_000, 500);
  const results = new Shelf(account, DROPPED.results, 'tasks');
  for (const client of ['ada', 'eve', 'eve']) results.put(client, 200);
  account.check(account.loadOf('eve'), 'calls', 250);
  expect(results.things.map(({ client }) => client)).toEqual(['ada', 'eve']);
});

it('nothing is dropped for what has no room even then', () => {
  const account = accountOf(1000, 500);
  const results = new Shelf(account, DROPPED.results, 'tasks');
  results.put('eve', 300);
  expect(account.hold('eve', 'notes').grow(501)).toBe('heldPerClient');
  expect(account.hold('ada', 'notes').grow(10)).toBeUndefined();
  expect(results.things).toHaveLength(1);
});

it('what keeps to limits of its own is added to the sum, and never refused', () => {
  const account = accountOf(1000, 1000);
  let waiting = 0;
  const end = account.meter('audit', () => waiting);
  waiting = 2000;
  expect([account.all, account.kinds['audit'], account.isExceeded]).toEqual([2000, 2000, true]);
  expect(() => account.check(account.loadOf('eve'), 'calls', 1)).toThrow('(limits.held)');
  end();
  expect([account.all, account.isExceeded]).toEqual([0, false]);
});

it('what a keeper counts with a meter makes room, too', () => {
  const account = accountOf(1000, 1000);
  let events = 600;
  account.meter('events', () => events);
  account.keep({
    order: DROPPED.events,
    droppable: (client) => (client === undefined ? events : 0),
    drop: (bytes) => void (events -= bytes),
  });
  expect(account.hold('eve', 'notes').grow(250)).toBeUndefined();
  expect([events, account.all]).toEqual([500, 750]);
});

it('a load without anything leaves nothing of its client behind', () => {
  const account = accountOf(1000, 500);
  const load = account.loadOf('address-1');
  load.moveTo('ada');
  load.hold(0);
  load.streams = 0;
  expect(account.clients).toBe(0);
});

it('a load that moves takes what it holds along', () => {
  const account = accountOf(1000, 500);
  const load = account.loadOf('address-1');
  const giveBack = account.take(load, 'sessions', 300);
  load.enter(50);
  load.moveTo('ada');
  expect([account.loadOf('address-1').weight, account.loadOf('ada').weight, account.loadOf('ada').calls]).toEqual([
    0, 350, 1,
  ]);
  giveBack();
  load.leave(50);
  expect(account.clients).toBe(0);
});

it('the sums are those of what is held, after any steps', () => {
  const client = fc.constantFrom('ada', 'bob', LOCAL_CLIENT);
  const step = fc.record({
    client,
    kind: fc.constantFrom('notes', 'calls'),
    bytes: fc.integer({ min: 1, max: 400 }),
    ends: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const account = accountOf(1000, 400);
      const held: { readonly client: string; readonly bytes: number; readonly end: () => void }[] = [];
      for (const { client, kind, bytes, ends } of steps) {
        if (ends) held.shift()?.end();
        const kept = account.hold(client, kind);
        if (!kept.grow(bytes)) held.push({ client, bytes, end: () => kept.release() });
        const sumOf = (of?: string): number =>
          held.filter((each) => each.client === (of ?? each.client)).reduce((sum, each) => sum + each.bytes, 0);
        expect(account.all).toBe(sumOf());
        for (const each of ['ada', 'bob']) {
          expect(account.loadOf(each).weight).toBe(sumOf(each));
          expect(sumOf(each)).toBeLessThanOrEqual(400);
        }
        expect(account.all).toBeLessThanOrEqual(1000);
      }
      for (const { end } of held) end();
      expect([account.all, account.clients]).toEqual([0, 0]);
    }),
  );
});

it('a client is known by its principal, else by its network, and a text of a store does not tell its address', () => {
  const account = accountOf(1, 1);
  const clientKeyOf = (principal?: string, address?: string): string => account.clientOf(principal, address);
  expect(clientKeyOf('p', '10.0.0.1')).toBe('p');
  expect(clientKeyOf(undefined, undefined)).toBe(LOCAL_CLIENT);
  const key = clientKeyOf(undefined, '10.0.0.1');
  expect(key).toMatch(/^address-[\w-]{43}$/);
  expect(clientKeyOf(undefined, '::ffff:10.0.0.1')).toBe(key);
  expect(clientKeyOf(undefined, '2001:db8::1')).toBe(clientKeyOf(undefined, '2001:db8::2'));
  expect(clientKeyOf(undefined, '10.0.0.2')).not.toBe(key);
});
