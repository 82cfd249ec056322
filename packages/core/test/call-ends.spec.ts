/** The three ends of a call, in every order: its handler answers, its client cancels it, its time is over. */
import { ManualClock } from '@sigil-mcp/testing';
import fc from 'fast-check';
import { createServer, Feature, Injectable, McpContext, MemoryTransport, Tool, type OnStop } from '../src';
import { runs } from '../../../test/support/matrix';

const LIMIT = 100;
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** What handlers wait for, and what was seen of them. */
class Stage {
  running = 0;
  most = 0;
  readonly misused: string[] = [];
  wait: (label: string) => Promise<void> = () => Promise.resolve();
}

@Injectable({ scope: 'request' })
class Transaction implements OnStop {
  isOpen = true;

  onStop(): void {
    this.isOpen = false;
  }
}

@Feature()
class Works {
  constructor(private readonly stage: Stage) {}

  @Tool('Works, and does not look at its signal', { timeout: LIMIT })
  async work(context: McpContext): Promise<string> {
    const { stage } = this;
    stage.running += 1;
    stage.most = Math.max(stage.most, stage.running);
    const transaction = await context.get(Transaction);
    await stage.wait('works');
    if (!transaction.isOpen) stage.misused.push('the transaction was closed under its handler');
    stage.running -= 1;
    return 'done';
  }
}

type Heard = { readonly id?: number; readonly result?: object; readonly error?: { readonly message: string } };

it('a call is answered at most once, never after it was cancelled, and counts until its handler has ended, in every order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.integer({ min: 1, max: 4 }), async (scheduler, calls) => {
      const [stage, clock] = [new Stage(), new ManualClock()];
      const server = createServer({
        name: 'ends',
        version: '1.0.0',
        features: [Works],
        providers: [Transaction, { provide: Stage, useValue: stage }],
        limits: { callsPerClient: 2 },
        clock,
        logger: false,
      });
      /** Lets everything happen that can, in the order of the scheduler. */
      const settle = async (): Promise<void> => {
        for (let quiet = 0; quiet < 2; quiet += 1) {
          await clock.advance(0);
          if (scheduler.count() === 0) continue;
          await scheduler.waitOne();
          quiet = -1;
        }
      };
      stage.wait = (label) => scheduler.schedule(Promise.resolve(), label);
      const transport = new MemoryTransport();
      await server.listen(transport);
      const heard: Heard[] = [];
      const cancelled: number[] = [];
      const pipe = transport.connect((text) => {
        const message = JSON.parse(text) as Heard;
        if (message.id !== undefined && cancelled.includes(message.id))
          stage.misused.push(`${message.id} was cancelled`);
        heard.push(message);
      });
      const send = (message: object): void => pipe.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
      const start = (id: number): void =>
        send({ id, method: 'tools/call', params: { name: 'work', arguments: {}, _meta: META } });
      const ids = Array.from({ length: calls }, (_, index) => index + 1);
      const cancel = (id: number): void => {
        if (!heard.some((message) => message.id === id)) cancelled.push(id);
        send({ method: 'notifications/cancelled', params: { requestId: id, _meta: META } });
      };
      const { task } = scheduler.scheduleSequence([
        ...ids.map((id) => async () => Promise.resolve(start(id))),
        async () => Promise.resolve(cancel(1)),
        () => clock.advance(LIMIT),
      ]);
      await scheduler.waitFor(task);
      await settle();
      expect(stage.misused).toEqual([]);
      // However they ended, no more than two ran at a time: the others were refused.
      expect(stage.most).toBeLessThanOrEqual(2);
      const answered = heard.map(({ id }) => id).sort();
      expect(answered).toEqual(ids.filter((id) => !cancelled.includes(id)));
      expect(stage.running).toBe(0);
      // Every place was given back: as many as may run at a time can run again.
      for (const id of [11, 12]) start(id);
      await settle();
      expect(heard.filter(({ id, result }) => Number(id) > 10 && result)).toHaveLength(2);
      await server.close();
    }),
    { numRuns: runs(200) },
  );
});
