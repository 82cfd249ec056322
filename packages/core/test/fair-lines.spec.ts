/** Calls that wait for each other: clients take turns, none has all places, and waiting is no work. */
import { Caller, createServer, tool, type Server, type ToolOptions } from '@sigil-mcp/core';
import { connect, ManualClock, type TestClient } from '@sigil-mcp/testing';
import fc from 'fast-check';
import { turn } from '../../../test/support/turn';
import { ClientTurns, Places } from '../src/limits/client-turns';

describe('turns', () => {
  const waiting = fc.array(fc.record({ client: fc.nat(3), isTaken: fc.boolean() }), { maxLength: 60 });

  it('give each client its own items in their order, and the next one to whoever waits longest for a turn', () => {
    fc.assert(
      fc.property(waiting, (steps) => {
        const turns = new ClientTurns<number>();
        // The same, written as it is meant: queues of clients, and a list of whose turn it is.
        const queues = new Map<number, number[]>();
        let order: number[] = [];
        for (const [index, { client, isTaken }] of steps.entries()) {
          if (!isTaken) {
            turns.add(client, index);
            if (!order.includes(client)) order.push(client);
            queues.set(client, [...(queues.get(client) ?? []), index]);
            continue;
          }
          const [next] = order;
          const taken = turns.take();
          if (next === undefined) expect(taken).toBeUndefined();
          else {
            const [item, ...others] = queues.get(next) ?? [];
            expect(taken).toEqual({ client: next, item });
            queues.set(next, others);
            order = [...order.slice(1), ...(others.length > 0 ? [next] : [])];
          }
        }
      }),
    );
  });

  it('pass by a client that may not, which keeps its turn, and forget what was taken out', () => {
    const turns = new ClientTurns<string>();
    for (const item of ['a1', 'a2', 'b1']) turns.add(item[0], item);
    const places = new Places(3, (client) => (client === 'a' ? 0 : 1));
    expect(turns.take(places)).toEqual({ client: 'b', item: 'b1' });
    expect([turns.delete('a', 'a1'), turns.delete('a', 'a1'), turns.delete('b', 'b1')]).toEqual([true, false, false]);
    expect([turns.take()?.item, turns.take()]).toEqual(['a2', undefined]);
  });

  it('give a place to whoever has the fewest, within all places and a share for each', () => {
    const wanted = fc.array(fc.record({ client: fc.nat(3), what: fc.constantFrom('wait', 'end') }), { maxLength: 80 });
    fc.assert(
      fc.property(wanted, (steps) => {
        const [turns, places] = [new ClientTurns<number>(), new Places(4, () => 2)];
        const [running, waiting]: [number[], number[]] = [[], []];
        for (const [index, { client, what }] of steps.entries()) {
          if (what === 'wait') turns.add(client, index);
          if (what === 'wait') waiting.push(client);
          else if (running.length > 0) places.give(running.splice(client % running.length, 1)[0]);
          const taken = turns.take(places);
          const has = (each: number): number => running.filter((other) => other === each).length;
          const may = running.length < 4 ? waiting.filter((each) => has(each) < 2) : [];
          expect(taken === undefined).toBe(may.length === 0);
          if (!taken) continue;
          const chosen = taken.client as number;
          expect(has(chosen)).toBe(Math.min(...may.map(has)));
          running.push(chosen);
          waiting.splice(waiting.indexOf(chosen), 1);
        }
      }),
    );
  });
});

describe('calls of a tool with a limit of concurrency', () => {
  const clock = new ManualClock();
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  let server: Server;
  const clients: TestClient[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) end();
    await Promise.all(clients.splice(0).map((client) => client.close()));
    const closed = server.close();
    await clock.advance(60_000);
    await closed;
    begun.length = 0;
  });

  function open(options: Partial<ToolOptions>): void {
    const work = tool('work', { description: 'Works', ...options }, (_input: undefined, context) => {
      begun.push(context.caller.id);
      return new Promise<string>((resolve) => ends.push(() => resolve('done')));
    });
    server = createServer({ name: 's', version: '1', logger: false, clock, features: [work] });
  }

  async function meet(id: string, kind: 'user' | 'local' = 'user'): Promise<TestClient> {
    const client = await connect(server, { as: new Caller({ id, kind }) });
    clients.push(client);
    return client;
  }

  const call = (client: TestClient): Promise<unknown> => {
    const result = client.callTool('work');
    result.catch(() => undefined);
    return result;
  };
  const endFirst = async (): Promise<void> => {
    ends.shift()?.();
    await turn();
  };

  it('have as many places for one client as the author says, and all for a program of the same machine', async () => {
    open({ concurrency: { calls: 4, perClient: 1 } });
    const [eve, local] = [await meet('eve'), await meet('ada', 'local')];
    for (let count = 0; count < 5; count += 1) void call(eve);
    for (let count = 0; count < 5; count += 1) void call(local);
    await turn();
    expect(begun).toEqual(['eve', 'ada', 'ada', 'ada']);
  });

  it('tell who has waited for too long that he has waited, and take him out of the line', async () => {
    open({ concurrency: 1, timeout: 1000 });
    const [eve, ada] = [await meet('eve'), await meet('ada')];
    const works = call(eve);
    await turn();
    await clock.advance(1);
    const waits = call(ada);
    await turn();
    await clock.advance(998);
    await endFirst();
    expect(await works).toMatchObject({ isError: false });
    void call(eve);
    const late = call(eve);
    await turn();
    await clock.advance(1000);
    expect(await late).toMatchObject({
      isError: true,
      content: [
        { text: 'The tool work is busy: this call has waited for 1000 ms while others ran. Call it again later.' },
      ],
    });
    void waits;
  });

  it.each([0, 1.5, { calls: 0 }, { calls: 2, perClient: 0 }, { calls: 2, perClient: 3 }, { perClient: 1 } as never])(
    'cannot be %j',
    (concurrency) => {
      expect(() => open({ concurrency })).toThrow('SIGIL_CONCURRENCY');
      open({});
    },
  );
});
