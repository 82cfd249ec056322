/** Providers scoped to the request: what is wrong with them at start, and what becomes of them around the end of a call. */
import { inspect } from 'node:util';
import {
  DefinitionError,
  Feature,
  Injectable,
  McpContext,
  SingletonContainer,
  Tool,
  UseGuards,
  createServer,
  type Container,
  type Guard,
  type OnStop,
  type ServerOptions,
} from '@sigil-mcp/core';
import { connect } from '@sigil-mcp/testing';
import { turn } from '../../../test/support/turn';
import { until } from '../../../test/support/until';

@Injectable({ scope: 'request' })
class Unit {}

@Injectable()
class Repository {
  constructor(readonly unit: Unit) {}
}

@Feature()
class Orders {
  constructor(readonly repository: Repository) {}

  @Tool('Orders') order(): string {
    return 'ordered';
  }
}

function problemsOf(options: Partial<ServerOptions>): string[] {
  try {
    createServer({ name: 'x', version: '1', ...options });
    return [];
  } catch (error) {
    if (error instanceof DefinitionError)
      return error.problems.map(({ code, where, problem, fix }) => `${code} ${where}: ${problem} ${fix}`);
    throw error;
  }
}

describe('what is made once', () => {
  it('cannot depend on what is made for each call: the chain is named', () => {
    expect(problemsOf({ features: [Orders] })).toEqual([
      expect.stringMatching(
        /^SIGIL_REQUEST_SCOPE Repository: .*Orders -> Repository -> Unit.*await context\.get\(Unit\)/,
      ),
    ]);
    expect(
      problemsOf({
        features: [Orders],
        providers: [{ provide: Repository, useFactory: (_unit: Unit) => 1, inject: [Unit] }],
      }),
    ).toEqual([expect.stringContaining('SIGIL_REQUEST_SCOPE Repository')]);
    expect(problemsOf({ features: [Orders], providers: [{ provide: Unit, useValue: new Unit() }] })).toEqual([]);
  });

  it('cannot depend on the call itself', () => {
    @Injectable()
    class Greeter {
      constructor(readonly context: McpContext) {}
    }
    expect(
      problemsOf({
        providers: [{ provide: 'G', useFactory: (context: McpContext) => context, inject: [McpContext] }, Greeter],
      }),
    ).toEqual([
      expect.stringMatching(/^SIGIL_REQUEST_SCOPE "G": .*"G" -> McpContext/),
      expect.stringContaining('Greeter -> McpContext'),
    ]);
  });

  it('is a feature, a guard and an interceptor, whatever its decorator says', () => {
    @Injectable({ scope: 'request' })
    class PerCall implements Guard {
      allows(): boolean {
        return true;
      }
    }
    @Feature()
    class Guarded {
      @Tool('Guarded') @UseGuards(PerCall) guarded(): string {
        return '';
      }
    }
    expect(problemsOf({ features: [Guarded] })).toEqual([expect.stringContaining('SIGIL_REQUEST_ROOT PerCall')]);
  });

  it('is a subclass that does not say otherwise of a class that is made for each call', () => {
    @Injectable()
    class Shared extends Unit {}
    class Inherited extends Unit {}
    const taking = (token: typeof Unit) => ({
      providers: [token, { provide: 'X', useFactory: (_: Unit) => 1, inject: [token] }],
    });
    expect(problemsOf(taking(Shared))).toEqual([]);
    expect(problemsOf(taking(Inherited))).toHaveLength(1);
  });

  it('needs a container that can make things for a call', () => {
    const own = new SingletonContainer();
    const foreign: Container = {
      prepare: (...args) => own.prepare(...args),
      build: () => own.build(),
      get: (token) => own.get(token),
      start: () => own.start(),
      stop: () => own.stop(),
    };
    expect(
      problemsOf({ container: foreign, providers: [{ provide: 'X', scope: 'request', useFactory: () => 1 }] }),
    ).toEqual([expect.stringContaining('SIGIL_SCOPE_CONTAINER')]);
  });
});

describe('the end of a call', () => {
  const stopped: string[] = [];
  @Injectable({ scope: 'request' })
  class Connection implements OnStop {
    async onStop(): Promise<void> {
      await turn();
      stopped.push('connection');
    }
  }
  @Injectable({ scope: 'request' })
  class Broken implements OnStop {
    onStop(): void {
      throw new Error('It hangs.');
    }
  }
  class Pool implements OnStop {
    onStop(): void {
      stopped.push('pool');
    }
  }
  let late: () => Promise<unknown>;
  let isWaiting = false;
  @Feature()
  class Work {
    constructor(readonly pool: Pool) {}

    @Tool('Works') async work(context: McpContext): Promise<string> {
      await context.get(Connection);
      late = () => context.get(Broken);
      return (await context.get(Pool)) === this.pool ? 'same pool' : 'another pool';
    }
    @Tool('Asks too late') tooLate(context: McpContext): string {
      late = async () => [await context.get(Pool), await context.get(Connection)];
      return 'early';
    }
    @Tool('Breaks') async breaking(context: McpContext): Promise<string> {
      await context.get(Connection);
      await context.get(Broken);
      return 'done';
    }
    @Tool('Shares') async sharing(context: McpContext): Promise<string> {
      return (await context.get('POOL')) === this.pool ? 'shared' : 'own';
    }
    @Tool('Waits') async waiting(context: McpContext): Promise<string> {
      await context.get(Connection);
      isWaiting = true;
      await new Promise((done) => context.signal.addEventListener('abort', done, { once: true }));
      await turn();
      stopped.push('handler');
      return '';
    }
  }
  const lines: string[] = [];
  const log = (fields: unknown, message?: string): void =>
    void lines.push(`${message} ${inspect(fields, { depth: 9 })}`);
  const work = () =>
    createServer({
      name: 'x',
      version: '1',
      features: [Work],
      providers: [
        Connection,
        Broken,
        { provide: 'POOL', scope: 'request', useFactory: (pool: Pool) => pool, inject: [Pool] },
      ],
      logger: { debug: () => undefined, info: () => undefined, warn: log, error: log },
    });
  beforeEach(() => void (stopped.length = lines.length = 0));

  it('comes before the end of the server: what was made for it is released first', async () => {
    const server = work();
    const client = await connect(server);
    expect(await client.callTool('work')).toMatchObject({ content: [{ text: 'same pool' }] });
    await server.close();
    expect(stopped).toEqual(['connection', 'pool']);
    await expect(late()).rejects.toMatchObject({ code: 'SIGIL_SCOPE_OVER' });
  });

  it('is the last moment to ask for what is made for it, also for who asks for the first time', async () => {
    const server = work();
    const client = await connect(server);
    expect(await client.callTool('tooLate')).toMatchObject({ content: [{ text: 'early' }] });
    await expect(late()).rejects.toMatchObject({ code: 'SIGIL_SCOPE_OVER' });
    await server.close();
    expect(stopped).toEqual(['pool']);
  });

  it('comes for calls after a feature that could not be added as before', async () => {
    @Feature()
    class Failing {
      constructor() {
        throw new Error('no');
      }
      @Tool('Fails') failing(): string {
        return '';
      }
    }
    const server = work();
    const client = await connect(server);
    await expect(server.registry.add(Failing)).rejects.toThrow('no');
    expect(await client.callTool('work')).toMatchObject({ content: [{ text: 'same pool' }] });
    await server.close();
    expect(stopped).toEqual(['connection', 'pool']);
  });

  it('leaves alone what a factory took from the server', async () => {
    const server = work();
    const client = await connect(server);
    expect(await client.callTool('sharing')).toMatchObject({ content: [{ text: 'shared' }] });
    await turn();
    expect(stopped).toEqual([]);
    await server.close();
    expect(stopped).toEqual(['pool']);
  });

  it('is not spoiled by what does not stop: the rest is stopped, and the log says which class it is', async () => {
    const server = work();
    const client = await connect(server);
    expect(await client.callTool('breaking')).toMatchObject({ content: [{ text: 'done' }] });
    await until(() => stopped.length === 1 && lines.length === 1);
    expect(stopped).toEqual(['connection']);
    expect(lines).toEqual([expect.stringMatching(/did not stop[^]*Broken[^]*It hangs\./)]);
    await server.close();
  });

  it('is that of the handler, where the client has left before', async () => {
    const server = work();
    const client = await connect(server);
    void client.callTool('waiting').catch(() => undefined);
    await until(() => isWaiting);
    await client.close();
    await until(() => stopped.length === 2);
    expect(stopped).toEqual(['handler', 'connection']);
    await server.close();
  });
});

describe('a class of a call whose constructor throws', () => {
  class Busy extends Error {}

  async function logOf(thrown: Error): Promise<unknown> {
    @Injectable({ scope: 'request' })
    class Transaction {
      constructor() {
        throw thrown;
      }
    }
    @Injectable({ scope: 'request' })
    class Ledger {
      constructor(readonly transaction: Transaction) {}
    }
    @Feature()
    class Payments {
      @Tool('Pays') async pay(context: McpContext): Promise<string> {
        await context.get(Ledger);
        return 'paid';
      }
    }
    const logged: unknown[] = [];
    const log = (fields: object): void => void logged.push(fields);
    const logger = { debug: log, info: log, warn: log, error: log };
    const server = createServer({
      name: 'x',
      version: '1',
      features: [Payments],
      providers: [Transaction, Ledger],
      logger,
    });
    const client = await connect(server);
    expect(await client.callTool('pay')).toMatchObject({ isError: true });
    await client.close();
    await server.close();
    return logged.map((fields) => (fields as { err?: unknown }).err).find((err) => err !== undefined);
  }

  it('is named in the log with the class that needs it, and the error is the cause', async () => {
    const thrown = new Error('no connection is free');
    expect(await logOf(thrown)).toMatchObject({
      code: 'SIGIL_NOT_CREATED',
      message: expect.stringContaining(
        'Transaction could not be created, which Ledger needs: no connection is free.',
      ) as string,
      cause: thrown,
    });
  });

  it('throws an error of a class of the author as it is, for interceptors that expect it', async () => {
    const thrown = new Busy('no connection is free');
    expect(await logOf(thrown)).toBe(thrown);
  });
});
