/** How often somebody may call, where several instances are called. */
import { Feature, RateLimit, Tool, UseGuards } from '@sigil-mcp/core';
import { StoreAway, type MemoryStores, type Stores } from '@sigil-mcp/core/stores';
import { as, believing, request, type OpenServer } from './http-server';
import { initialize, serveTwice, type Instances } from './two-instances';

@Feature()
class Reports {
  @UseGuards(RateLimit({ calls: 2, per: 'hour', name: 'reports' }))
  @Tool('Twice an hour, wherever')
  shared(): string {
    return 'report';
  }

  @UseGuards(RateLimit({ calls: 2, per: 'hour', name: 'in a session', by: 'session' }))
  @Tool('Twice an hour in a session')
  inSession(): string {
    return 'report';
  }

  @UseGuards(RateLimit({ calls: 2, per: 'hour' }))
  @Tool('Twice an hour at each instance')
  own(): string {
    return 'report';
  }
}

let both: Instances;
const start = async (seenByB?: (stores: MemoryStores) => Stores): Promise<void> => {
  both = await serveTwice({ features: [Reports] }, { auth: believing }, seenByB);
};
afterEach(() => both.close());

const statuses = async (
  name: string,
  calls: readonly (readonly [open: OpenServer, headers: Record<string, string>])[],
): Promise<number[]> => {
  const seen: number[] = [];
  for (const [open, headers] of calls) seen.push((await open.post(request(1, 'tools/call', { name }), headers)).status);
  return seen;
};

it('a rate with a name is kept by all instances together, for each caller', async () => {
  await start();
  const [ada, bob] = [
    await initialize(both.a, '2025-11-25', as('ada')),
    await initialize(both.b, '2025-11-25', as('bob')),
  ];
  const calls = [both.a, both.b, both.a, both.b].map((open) => [open, ada] as const);
  expect(await statuses('shared', calls)).toEqual([200, 200, 429, 429]);
  expect(await statuses('shared', [[both.a, bob]])).toEqual([200]);
});

it('a session is the same one at every instance', async () => {
  await start();
  const [one, other] = [
    await initialize(both.a, '2025-11-25', as('ada')),
    await initialize(both.a, '2025-11-25', as('ada')),
  ];
  const calls = [both.a, both.b, both.b].map((open) => [open, one] as const);
  expect(await statuses('inSession', calls)).toEqual([200, 200, 429]);
  expect(await statuses('inSession', [[both.b, other]])).toEqual([200]);
});

it('a rate without a name is kept by each instance for itself', async () => {
  await start(({ sessions, streams, bus, rates }) => {
    const own = { take: (key: string, rate: Parameters<typeof rates.take>[1]) => rates.take(`b ${key}`, rate) };
    return { sessions, streams, bus, rates: own, close: () => undefined };
  });
  const ada = await initialize(both.a, '2025-11-25', as('ada'));
  const calls = [both.a, both.b, both.a, both.b, both.a, both.b].map((open) => [open, ada] as const);
  expect(await statuses('own', calls)).toEqual([200, 200, 200, 200, 429, 429]);
});

it('while the store is away an instance keeps the rate by itself', async () => {
  await start(({ sessions, streams, bus }) => {
    const away = { take: () => Promise.reject(new StoreAway()) };
    return { sessions, streams, bus, rates: away, close: () => undefined };
  });
  const ada = await initialize(both.a, '2025-11-25', as('ada'));
  const calls = [both.a, both.a, both.a, both.b, both.b, both.b].map((open) => [open, ada] as const);
  expect(await statuses('shared', calls)).toEqual([200, 200, 429, 200, 200, 429]);
});
