/** Where questions end: one that failed may be asked again, after the call nothing is asked, and time stands still while anybody thinks. */
import { AskFailure, createServer, Feature, McpContext, Tool, type Server } from '@sigil-mcp/core';
import { ManualClock } from '@sigil-mcp/testing';
import { eachRevision } from './checked';

const LAST_HANDSHAKE = '2025-11-25';
const sample = { role: 'assistant', content: { type: 'text', text: 'Yes.' }, model: 'm' } as const;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

/** Lets time pass for a handler, too. */
const clock = { current: new ManualClock() };
const passes = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => void clock.current.after(milliseconds, resolve));

@Feature()
class Asks {
  static refused: unknown;

  @Tool('Asks again under the same key')
  async again(context: McpContext): Promise<string> {
    const first = await context.sample('Well?', { key: 'well', timeout: 100 }).catch((error: unknown) => error);
    if (!(first instanceof AskFailure)) return 'answered at once';
    return (await context.sample('Well?', { key: 'well' })).text;
  }

  @Tool('Asks when nobody waits any more')
  async late(context: McpContext): Promise<string> {
    await context.sample('In time?');
    await new Promise<void>((resolve) => context.signal.addEventListener('abort', () => resolve()));
    Asks.refused = await context.sample('Too late?').catch((error: unknown) => error);
    return 'over';
  }

  @Tool('Asks twice, the second time while the first waits', { timeout: 100 })
  async overlapping(context: McpContext): Promise<string> {
    await passes(40);
    const first = context.sample('Now?');
    await passes(50);
    await Promise.all([first, context.sample('Or now?')]);
    await passes(40);
    return 'done';
  }
}

function asks(): Server {
  clock.current = new ManualClock();
  return createServer({ name: 'asks', version: '1.0.0', features: [Asks], clock: clock.current, logger: false });
}

eachRevision(
  'a question that was not answered in time can be asked again under its key',
  async ({ connect }) => {
    let count = 0;
    const client = await connect(asks(), {
      answers: async () => {
        if (++count === 1) await passes(60_000);
        return sample;
      },
    });
    const answer = client.callTool('again');
    await clock.current.advance(100);
    expect(await answer).toMatchObject({ content: [{ text: 'Yes.' }] });
    expect(count).toBe(2);
    await clock.current.advance(60_000);
  },
  { until: LAST_HANDSHAKE },
);

eachRevision(
  'a call that was cancelled asks nothing any more',
  async ({ connect }) => {
    Asks.refused = undefined;
    const client = await connect(asks(), { answers: () => sample });
    const { id, result } = client.start('tools/call', { name: 'late', arguments: {} });
    result.catch(() => undefined);
    while (client.questions.length === 0) await turn();
    await turn();
    client.cancel(id);
    while (Asks.refused === undefined) await turn();
    await turn();
    expect(Asks.refused).toBeInstanceOf(Error);
    expect(client.questions).toHaveLength(1);
  },
  { until: LAST_HANDSHAKE },
);

eachRevision(
  'the time of a tool counts once what passes before two questions that overlap',
  async ({ connect }) => {
    const server = asks();
    const client = await connect(server, {
      answers: async () => {
        await passes(60_000);
        return sample;
      },
    });
    const answer = client.callTool('overlapping');
    await clock.current.advance(200_000);
    expect(await answer).toMatchObject({ content: [{ text: 'done' }] });
  },
  { until: LAST_HANDSHAKE },
);
