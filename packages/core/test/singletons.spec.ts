/** The container: what it builds, in which order, and what it says when it cannot. */
import {
  DefinitionError,
  Feature,
  Inject,
  Injectable,
  MemoryTransport,
  Tool,
  createServer,
  type OnStart,
  type OnStop,
  type Provider,
} from '@sigil-mcp/core';
import { turn } from '../../../test/support/turn';

const built: string[] = [];

@Injectable()
class Clock implements OnStart, OnStop {
  constructor() {
    built.push('clock');
  }

  onStart(): void {
    built.push('clock started');
  }

  onStop(): void {
    built.push('clock stopped');
  }
}

@Injectable()
class Diary implements OnStart, OnStop {
  constructor(
    readonly clock: Clock,
    @Inject('TITLE') readonly title: string,
  ) {
    built.push('diary');
  }

  async onStart(): Promise<void> {
    await Promise.resolve();
    built.push('diary started');
  }

  onStop(): void {
    built.push('diary stopped');
    throw new Error('ink');
  }
}

@Feature()
class Desk {
  constructor(
    readonly diary: Diary,
    readonly clock: Clock,
  ) {
    built.push('desk');
  }

  @Tool('Says what it was given')
  look(): string {
    return `${this.diary.title} ${String(this.diary.clock === this.clock)}`;
  }
}

async function answer(providers: readonly Provider[]): Promise<{ text: string; close: () => Promise<void> }> {
  const server = createServer({ name: 'desk', version: '1.0.0', features: [Desk], providers, logger: false });
  const transport = new MemoryTransport();
  await server.listen(transport);
  const texts: string[] = [];
  const pipe = transport.connect((text) => void texts.push(text));
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  pipe.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'look', _meta } }));
  await turn();
  return { text: texts.join(), close: () => server.close() };
}

function problemsOf(define: () => unknown): readonly { code: string; where: string; problem: string }[] {
  try {
    define();
  } catch (error) {
    if (error instanceof DefinitionError) return error.problems;
  }
  return [];
}

beforeEach(() => void built.splice(0));

describe('the container', () => {
  it('names a class whose constructor throws, and the class that needs it', async () => {
    @Injectable()
    class Database {
      constructor() {
        throw new TypeError('no database at localhost:5432');
      }
    }
    @Injectable()
    class Notes {
      constructor(readonly database: Database) {}
    }
    const server = createServer({ name: 'down', version: '1', providers: [Database, Notes], logger: false });
    await expect(server.listen(new MemoryTransport())).rejects.toMatchObject({
      code: 'SIGIL_NOT_CREATED',
      message: expect.stringContaining(
        'Database could not be created, which Notes needs: no database at localhost:5432. Fix the error',
      ) as string,
      cause: expect.any(TypeError) as unknown,
    });
    await server.close();
  });

  it('names the class whose onStart failed, and what it threw', async () => {
    class Database {
      onStart(): Promise<void> {
        return Promise.reject(new TypeError('no route to host'));
      }
    }
    const server = createServer({ name: 'down', version: '1', providers: [Database], logger: false });
    await expect(server.listen(new MemoryTransport())).rejects.toMatchObject({
      code: 'SIGIL_START_HOOK',
      message: expect.stringContaining('onStart of Database failed: no route to host. Fix the error') as string,
      cause: expect.any(TypeError) as unknown,
    });
    await server.close();
  });

  it('builds each class once, dependencies first, and runs the hooks in that order and back', async () => {
    const { text, close } = await answer([{ provide: 'TITLE', useValue: 'Notes' }]);
    expect(text).toContain('Notes true');
    await expect(close()).rejects.toMatchObject({
      code: 'SIGIL_STOP_HOOKS',
      cause: {
        errors: [
          { code: 'SIGIL_STOP_HOOK', message: expect.stringContaining('onStop of Diary failed: ink') as string },
        ],
      },
    });
    expect(built).toEqual([
      'clock',
      'diary',
      'desk',
      'clock started',
      'diary started',
      'diary stopped',
      'clock stopped',
    ]);
  });

  it('takes values, classes in the place of others, and factories, also asynchronous ones', async () => {
    class FastClock extends Clock {}
    const { text } = await answer([
      { provide: Clock, useClass: FastClock },
      { provide: 'FIRST', useValue: 'Mid' },
      { provide: 'TITLE', useFactory: async (first: string) => Promise.resolve(`${first}night`), inject: ['FIRST'] },
    ]);
    expect(text).toContain('Midnight true');
  });

  it('builds nothing before the server listens', () => {
    createServer({ name: 'desk', version: '1.0.0', features: [Desk], providers: [{ provide: 'TITLE', useValue: '' }] });
    expect(built).toEqual([]);
  });

  it('shares nothing with another server', async () => {
    await answer([{ provide: 'TITLE', useValue: 'one' }]);
    await answer([{ provide: 'TITLE', useValue: 'two' }]);
    expect(built.filter((line) => line === 'clock')).toHaveLength(2);
  });

  it('reports what nobody provides, with who needs it', () => {
    expect(problemsOf(() => createServer({ name: 'desk', version: '1.0.0', features: [Desk] }))).toMatchObject([
      { code: 'SIGIL_MISSING_PROVIDER', where: 'Diary', problem: 'no provider for "TITLE".' },
    ]);
  });

  it.each<[unknown, string, string]>([
    [undefined, 'createServer({ providers })', 'undefined'],
    [null, 'createServer({ providers })', 'null'],
    ['Desk', 'createServer({ providers })', '"Desk"'],
    [{}, 'createServer({ providers })', 'an object without `provide`'],
    [{ useValue: 1 }, 'createServer({ providers })', 'an object without `provide`'],
    [{ provide: 'TITLE' }, '"TITLE"', 'an object without useClass, useValue and useFactory'],
    [{ provide: 'TITLE', useFactory: undefined }, '"TITLE"', 'an object whose useFactory is undefined'],
    [{ provide: 'TITLE', useClass: {} }, '"TITLE"', 'an object whose useClass is an object'],
  ])('reports what provides nothing: %p', (provider, where, value) => {
    class Clock {}
    // JavaScript, or a cast, may put anything there.
    const providers = [Clock, provider as Provider];
    expect(problemsOf(() => createServer({ name: 'desk', version: '1.0.0', providers }))).toMatchObject([
      { code: 'SIGIL_PROVIDER', where, problem: `${value} is not a provider.` },
    ]);
  });

  it('reports a cycle as the path it takes', () => {
    class Hen {}
    class Egg {}
    const providers: Provider[] = [
      { provide: Hen, useFactory: () => new Hen(), inject: [Egg] },
      { provide: Egg, useFactory: () => new Egg(), inject: [Hen] },
    ];
    expect(problemsOf(() => createServer({ name: 'farm', version: '1.0.0', providers }))).toMatchObject([
      { code: 'SIGIL_DEPENDENCY_CYCLE', problem: 'it depends on itself: Hen -> Egg -> Hen.' },
    ]);
  });

  it('reports a constructor parameter whose type is not there at run time', () => {
    interface Shape {
      readonly sides: number;
    }
    @Injectable()
    class Painter {
      constructor(readonly shape: Shape) {}
    }
    class Undecorated {
      constructor(readonly clock: Clock) {}
    }
    const problems = problemsOf(() =>
      createServer({ name: 'art', version: '1.0.0', providers: [Painter, Undecorated] }),
    );
    expect(problems).toMatchObject([
      { code: 'SIGIL_DEPENDENCY_WITHOUT_TYPE', where: 'Painter.constructor, parameter 1' },
      { code: 'SIGIL_DEPENDENCY_WITHOUT_METADATA', where: 'Undecorated.constructor, parameter 1' },
    ]);
  });

  it('a subclass with a constructor of its own is not given what its base class asks for', async () => {
    class Base {
      constructor(@Inject('TITLE') readonly title: string) {}
    }
    @Injectable()
    class Derived extends Base {
      constructor(readonly clock: Clock) {
        super('own');
      }
    }
    const server = createServer({ name: 'derived', version: '1.0.0', providers: [Derived], logger: false });
    await server.listen(new MemoryTransport());
    expect(built).toContain('clock');
  });

  it('fails the start with the error of a constructor or factory', async () => {
    const providers: Provider[] = [
      { provide: 'DB', useFactory: () => Promise.reject(new Error('no route to database')) },
    ];
    const server = createServer({ name: 'db', version: '1.0.0', providers, logger: false });
    await expect(server.listen(new MemoryTransport())).rejects.toThrow('no route to database');
  });
});
