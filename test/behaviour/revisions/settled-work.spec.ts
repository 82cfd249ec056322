/** Work is counted until it has ended, and every request is answered once, on every revision: also where neither goes as planned. */
import {
  createServer,
  Denial,
  Feature,
  Injectable,
  McpContext,
  Tool,
  type Interceptor,
  type OnStop,
  type Server,
} from '@sigil-mcp/core';
import { ProtocolError, type JsonValue } from '@sigil-mcp/protocol';
import { ManualClock, type TestClient } from '@sigil-mcp/testing';
import { eachRevision } from './checked';

/** Work that ends when a test says so, whatever its signal says. */
class Stubborn {
  running = 0;
  readonly #ends: (() => void)[] = [];

  async work(): Promise<string> {
    this.running += 1;
    await new Promise<void>((resolve) => this.#ends.push(resolve));
    this.running -= 1;
    return 'done';
  }

  endAll(): void {
    for (const end of this.#ends.splice(0)) end();
  }
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
  constructor(private readonly stubborn: Stubborn) {}

  @Tool('Works on, whether or not somebody waits')
  work(): Promise<string> {
    return this.stubborn.work();
  }

  @Tool('Works on after its time is over', { timeout: 100 })
  async late(context: McpContext): Promise<string> {
    const transaction = await context.get(Transaction);
    const worked = await this.stubborn.work();
    Works.usedOpen = transaction.isOpen;
    return worked;
  }

  @Tool('Answers at once')
  quick(): string {
    return 'quick';
  }

  static usedOpen: boolean | undefined;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

function worksOf(stubborn: Stubborn, limits: object, clock = new ManualClock()): Server {
  return createServer({
    name: 'works',
    version: '1.0.0',
    features: [Works],
    providers: [Transaction, { provide: Stubborn, useValue: stubborn }],
    limits,
    clock,
    logger: false,
  });
}

const overloaded = (limit: string): object => ({
  message: expect.stringContaining(limit) as string,
  data: { retryAfter: 1 },
});

describe('a call that was given up', () => {
  const cases = [
    ['cancelled', 'callsPerClient', { callsPerClient: 3 }],
    ['cancelled, whoever sent it', 'limits.calls', { calls: 3, callsPerClient: 3 }],
  ] as const;
  for (const [how, limit, limits] of cases)
    eachRevision(`keeps its place until its handler has ended: ${how}`, async ({ connect }) => {
      const stubborn = new Stubborn();
      const client = await connect(worksOf(stubborn, limits));
      for (let count = 0; count < 3; count += 1) {
        const { id } = client.start('tools/call', { name: 'work' });
        await turn();
        client.cancel(id);
      }
      await turn();
      expect(stubborn.running).toBe(3);
      await expect(client.callTool('quick')).rejects.toMatchObject(overloaded(limit));
      stubborn.endAll();
      await turn();
      expect(await client.callTool('quick')).toMatchObject({ content: [{ text: 'quick' }] });
      expect(stubborn.running).toBe(0);
    });

  eachRevision('keeps its place until its handler has ended: after its time', async ({ connect }) => {
    const [stubborn, clock] = [new Stubborn(), new ManualClock()];
    const client = await connect(worksOf(stubborn, { callsPerClient: 1 }, clock));
    const late = client.callTool('late');
    await clock.advance(100);
    expect(await late).toMatchObject({ content: [{ text: expect.stringContaining('timed out') as string }] });
    await expect(client.callTool('quick')).rejects.toMatchObject(overloaded('callsPerClient'));
    stubborn.endAll();
    await turn();
    expect(await client.callTool('quick')).toMatchObject({ content: [{ text: 'quick' }] });
  });

  eachRevision('keeps what was made for it until its handler has ended', async ({ connect }) => {
    for (const giveUp of ['time', 'cancel'] as const) {
      const [stubborn, clock] = [new Stubborn(), new ManualClock()];
      Works.usedOpen = undefined;
      const client = await connect(worksOf(stubborn, {}, clock));
      const { id, result } = client.start('tools/call', { name: 'late', arguments: {} });
      result.catch(() => undefined);
      await turn();
      if (giveUp === 'time') await clock.advance(100);
      else client.cancel(id);
      await turn();
      stubborn.endAll();
      await turn();
      expect([giveUp, Works.usedOpen]).toEqual([giveUp, true]);
    }
  });
});

describe('an error whose data are no JSON', () => {
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;
  // What TypeScript refuses, a row of a database may hold.
  const data = { number: 10n } as unknown as { number: number };
  const failures: Record<string, () => Error> = {
    denial: () => new Denial('Not for you', { data }),
    cycle: () => new ProtocolError('invalid-params', 'Not like this', cyclic as JsonValue),
    throws: () =>
      new ProtocolError('invalid-params', 'Not like this', {
        toJSON: () => {
          throw new Error('never');
        },
      } as unknown as JsonValue),
  };

  let failure = '';

  @Feature()
  class Fails {
    @Tool('Fails at once')
    now(): string {
      throw failures[failure]?.() ?? new Error('no such failure');
    }

    @Tool('Fails after a while')
    async later(): Promise<string> {
      await turn();
      return this.now();
    }
  }

  const answerTo = (client: TestClient, name: string): Promise<unknown> =>
    client.request('tools/call', { name }).catch((error: unknown) => error);

  eachRevision(
    'is answered once, under its own id, without them, and keeps no place [BASE-003]',
    async ({ connect, revision }) => {
      const lines: string[] = [];
      const logger = { error: (_fields: object, line: string) => void lines.push(line) };
      const server = createServer({
        name: 'fails',
        version: '1.0.0',
        features: [Fails],
        limits: { callsPerClient: 2 },
        logger: { debug: () => undefined, info: () => undefined, warn: () => undefined, ...logger },
      });
      const client = await connect(server);
      for (const name of ['now', 'later'])
        for (failure of Object.keys(failures)) {
          const error = await answerTo(client, name);
          const message = failure === 'denial' ? 'Not for you' : 'Not like this';
          expect([revision, name, failure, error]).toMatchObject([revision, name, failure, { message }]);
          expect(error).not.toHaveProperty('data', expect.anything());
        }
      expect(lines.filter((line) => line.startsWith('The data of an error cannot be written'))).toHaveLength(6);
    },
  );
});

describe('a result of an interceptor', () => {
  eachRevision('that is frozen, and holds what changes, is written each time', async ({ connect }) => {
    const inner = { words: 'first' };
    const frozen = Object.freeze({ content: [{ type: 'text', text: 'x' }], _meta: inner });
    const constant: Interceptor = {
      intercept: async (call, next) => (call.method === 'tools/call' ? frozen : next()),
    };
    const server = createServer({
      name: 'works',
      version: '1.0.0',
      features: [Works],
      providers: [{ provide: Stubborn, useValue: new Stubborn() }],
      interceptors: [constant],
      logger: false,
    });
    const client = await connect(server);
    expect(await client.request('tools/call', { name: 'quick' })).toMatchObject({ _meta: { words: 'first' } });
    inner.words = 'second';
    expect(await client.request('tools/call', { name: 'quick' })).toMatchObject({ _meta: { words: 'second' } });
  });
});
