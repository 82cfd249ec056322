/** The id of an event is no key: whoever has that of somebody else gets nothing of the stream, at whichever instance, and takes it from nobody. */
import { Feature, McpContext, Tool } from '@sigil-mcp/core';
import { as, believing, request } from './http-server';
import { until } from './raw-request';
import { initialize, readStream, serveTwice, type Instances } from './two-instances';
import { revisionsOf } from '../../support/each-revision';

@Feature()
class Bank {
  static letOn: (() => void)[] = [];

  @Tool('Says what is in an account, step by step')
  async balance(context: McpContext): Promise<string> {
    await context.progress(1, 2);
    await new Promise<void>((resolve) => Bank.letOn.push(resolve));
    return 'a secret sum';
  }

  @Tool('Comes and goes')
  other(): string {
    return 'other';
  }
}

let both: Instances;
beforeEach(async () => {
  Bank.letOn = [];
  both = await serveTwice({ features: [Bank], shutdownDeadline: 100 }, { auth: believing });
});
afterEach(async () => {
  for (const letOn of Bank.letOn) letOn();
  await both.close();
});

const balance = request(1, 'tools/call', { name: 'balance', _meta: { progressToken: 1 } });

describe.each(revisionsOf({ since: '2025-03-26', until: '2025-11-25' }))('a stolen Last-Event-ID of %s', (version) => {
  it("does not open a call of another user, at any instance: neither in a session of one's own nor in theirs", async () => {
    const [own, stolen] = [await initialize(both.a, version, as('eve')), await initialize(both.a, version, as('ada'))];
    const call = await readStream(both.a, stolen, balance);
    await until(() => call.messages.length === 1);
    const event = { 'last-event-id': call.lastEvent ?? '' };
    for (const open of [both.a, both.b]) {
      for (const [who, status] of [
        [own, 410],
        [{ ...stolen, ...as('eve') }, 404],
        [{ ...stolen, ...as('nobody') }, 404],
      ] as const) {
        const taken = await readStream(open, { ...who, ...event });
        await taken.done;
        expect([taken.status, taken.messages]).toEqual([status, []]);
      }
    }
    Bank.letOn[0]?.();
    await call.done;
    expect(JSON.stringify(call.messages.at(-1))).toContain('a secret sum');
  });

  it('does not take over the stream of a session', async () => {
    const [own, stolen] = [await initialize(both.a, version, as('eve')), await initialize(both.a, version, as('ada'))];
    const held = await readStream(both.a, stolen);
    both.a.server.registry.remove('tool', 'other');
    await until(() => held.messages.length === 1);
    const event = { 'last-event-id': held.lastEvent ?? '' };
    for (const open of [both.a, both.b]) {
      expect((await readStream(open, { ...own, ...event })).status).toBe(400);
      expect((await readStream(open, { ...stolen, ...as('eve'), ...event })).status).toBe(404);
    }
    both.b.server.registry.remove('tool', 'balance');
    both.a.server.registry.remove('tool', 'balance');
    await until(() => held.messages.length > 1);
    held.cut();
  });
});
