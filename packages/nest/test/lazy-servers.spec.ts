/** Which server a module belongs to that is loaded while the application runs, and what remains of one that is refused. */
import {
  Injectable,
  Scope,
  type DynamicModule,
  type INestApplication,
  type OnModuleInit,
  type Type,
} from '@nestjs/common';
import { LazyModuleLoader } from '@nestjs/core';
import { Feature, Server, Tool } from '@sigil-mcp/core';
import { SigilModule } from '@sigil-mcp/nest';
import { connect } from '@sigil-mcp/testing';
import '@sigil-mcp/testing/matchers';
import { load, module, namesOf, openModules, server } from './support/lazy-modules';
import { openModule } from './support/open-application';

@Feature()
class Hello {
  @Tool('Greets') hello(): string {
    return 'hello';
  }
}
@Feature()
class Alone {
  @Tool('Is alone') alone(): string {
    return 'alone';
  }
}

/** A class with one tool, which tells the server that the class was given. */
function asking(tool: string, scope = Scope.DEFAULT): Type {
  class Asking {
    constructor(private readonly own: Server) {}

    whose(): string {
      return this.own.describe().server.name;
    }
  }
  Injectable({ scope })(Asking);
  Reflect.defineMetadata('design:paramtypes', [Server], Asking);
  Reflect.defineMetadata('design:paramtypes', [], Asking.prototype, 'whose');
  Reflect.defineMetadata('design:returntype', String, Asking.prototype, 'whose');
  const described = Object.getOwnPropertyDescriptor(Asking.prototype, 'whose') as TypedPropertyDescriptor<() => string>;
  Tool('Tells its server', { name: tool })(Asking.prototype, 'whose', described);
  return Asking;
}

/** A provider that does something when the application is initialised. */
function atStart(act: (loader: LazyModuleLoader) => Promise<void>): Type {
  class Early implements OnModuleInit {
    constructor(private readonly loader: LazyModuleLoader) {}
    onModuleInit(): Promise<void> {
      return act(this.loader);
    }
  }
  Injectable()(Early);
  Reflect.defineMetadata('design:paramtypes', [LazyModuleLoader], Early);
  return Early;
}

interface TwoServers {
  readonly app: INestApplication;
  readonly one: DynamicModule;
  readonly two: DynamicModule;
  readonly toolsAt: (name: string) => Promise<string[]>;
  readonly callAt: (name: string, tool: string) => Promise<unknown>;
}

async function openTwo(providers: (two: DynamicModule) => Type[] = () => []): Promise<TwoServers> {
  const [one, two] = [server('one'), server('two')];
  const modules = [
    module({ imports: [one], providers: [Hello] }, 'OneModule'),
    module({ imports: [two], providers: [Alone] }, 'TwoModule'),
  ];
  const app = await openModules(modules, providers(two));
  const base = await app.getUrl();
  return {
    ...{ app, one, two },
    toolsAt: async (name) => namesOf(await connect(`${base}/${name}`)),
    callAt: async (name, tool) => (await connect(`${base}/${name}`)).callTool(tool),
  };
}

describe('of several servers, the one that a loaded module imports is injected', () => {
  it.each([
    ['a class', (two: DynamicModule) => ({ imports: [two], providers: [asking('whose')] })],
    [
      'a class of each request',
      (two: DynamicModule) => ({ imports: [two], providers: [asking('whose', Scope.REQUEST)] }),
    ],
    ['a class of forFeature', (two: DynamicModule) => ({ imports: [two, SigilModule.forFeature([asking('whose')])] })],
  ])('into %s', async (_, metadata) => {
    const { app, two, callAt } = await openTwo();
    await load(app, module(metadata(two), 'LateModule'));
    expect(await callAt('two', 'whose')).toHaveText('two');
  });

  it('into modules that import each other and are loaded at once', async () => {
    const { app, two, toolsAt, callAt } = await openTwo();
    const inner = module({ imports: [two], providers: [asking('inner')] }, 'Inner');
    await Promise.all([
      load(app, module({ imports: [two, inner], providers: [asking('outer')] }, 'Outer')),
      load(app, inner),
    ]);
    expect(await toolsAt('two')).toEqual(['alone', 'inner', 'outer']);
    for (const tool of ['inner', 'outer']) expect(await callAt('two', tool)).toHaveText('two');
    expect(await toolsAt('one')).toEqual(['hello']);
  });
});

it('applications that are made of the same modules do not share what one of them loads', async () => {
  const same = server('same');
  const root = [
    module({ imports: [same, SigilModule.forFeature([asking('whose')])], providers: [Hello] }, 'OneModule'),
  ];
  const apps = [await openModules(root), await openModules(root)] as const;
  await load(apps[0], module({ providers: [Alone] }, 'LateModule'));
  const clients = await Promise.all(apps.map(async (app) => connect(`${await app.getUrl()}/same`)));
  expect(await Promise.all(clients.map(namesOf))).toEqual([
    ['hello', 'whose', 'alone'],
    ['hello', 'whose'],
  ]);
  const servers = await Promise.all(apps.map((app) => app.resolve(Server)));
  expect(servers[0]).not.toBe(servers[1]);
});

describe('after a module that was refused, the next one is served', () => {
  it.each([
    ['no server serves', () => ({ providers: [asking('lost')] }), /served by none of the servers/],
    [
      'two servers serve',
      (one: DynamicModule, two: DynamicModule) => ({ imports: [one, two], providers: [asking('both')] }),
      /served by "one" and "two"/,
    ],
    [
      'brings a server',
      () => ({ imports: [server('late')], providers: [asking('late')] }),
      /The server "late" is in a module/,
    ],
    [
      'has a name that is taken',
      (_: DynamicModule, two: DynamicModule) => ({ imports: [two], providers: [asking('fine'), asking('alone')] }),
      /"alone", in Alone\.alone/,
    ],
  ])('if the refused one %s', async (_, metadata, refusal) => {
    const { app, one, two, toolsAt, callAt } = await openTwo();
    const refused = module(metadata(one, two), 'RefusedModule');
    await expect(load(app, refused)).rejects.toThrow(refusal);
    await expect(load(app, refused)).rejects.toThrow(refusal);
    expect([await toolsAt('one'), await toolsAt('two')]).toEqual([['hello'], ['alone']]);
    await load(app, module({ imports: [two], providers: [asking('next')] }, 'NextModule'));
    expect([await toolsAt('one'), await toolsAt('two')]).toEqual([['hello'], ['alone', 'next']]);
    expect(await callAt('two', 'next')).toHaveText('two');
  });

  it('by the only server, if the refused one brought another one', async () => {
    const { module: app, server: only } = await openModule({ providers: [Hello] });
    const late = module({ imports: [server('late')], providers: [Alone] }, 'LateModule');
    await expect(load(app, late)).rejects.toThrow(/The server "late" is in a module that was loaded after/);
    await load(app, module({ providers: [asking('next')] }, 'NextModule'));
    const client = await connect(only);
    expect(await namesOf(client)).toEqual(['hello', 'next']);
    expect(await client.callTool('next')).toHaveText('zoo');
  });

  it('while the application starts', async () => {
    const refusals: string[] = [];
    const { toolsAt } = await openTwo((two) => [
      atStart(async (loader) => {
        const lost = module({ providers: [asking('lost')] }, 'LostModule');
        await loader.load(() => lost, { logger: false }).catch((error: Error) => refusals.push(error.message));
        const next = module({ imports: [two], providers: [asking('next')] }, 'NextModule');
        await loader.load(() => next, { logger: false });
      }),
    ]);
    expect(refusals).toEqual([expect.stringContaining('served by none of the servers')]);
    expect([await toolsAt('one'), await toolsAt('two')]).toEqual([['hello'], ['alone', 'next']]);
  });
});

it('of a module that was refused nothing is served until it is loaded again without its fault', async () => {
  const { module: app, server: only } = await openModule({ providers: [Hello] });
  const client = await connect(only);
  const inner = module({ providers: [asking('fine'), asking('hello')] }, 'Inner');
  const outer = module({ imports: [inner], providers: [asking('outer')] }, 'Outer');
  await expect(load(app, outer)).rejects.toThrow(/there is already a tool "hello", in Hello\.hello/);
  expect(await namesOf(client)).toEqual(['hello']);
  only.registry.remove('tool', 'hello');
  await load(app, outer);
  expect((await namesOf(client)).sort()).toEqual(['fine', 'hello', 'outer']);
  expect(await client.callTool('hello')).toHaveText('zoo');
});

it('a module whose factory has thrown is served when it is loaded again', async () => {
  const { module: app, server: only } = await openModule({ providers: [Hello] });
  let fault: Error | undefined = new Error('no connection');
  const connection = {
    provide: 'connection',
    useFactory: () => {
      if (fault) throw fault;
      return {};
    },
  };
  const late = module({ providers: [Alone, connection] }, 'LateModule');
  await expect(load(app, late)).rejects.toThrow('no connection');
  await load(app, module({ providers: [asking('next')] }, 'NextModule'));
  fault = undefined;
  await load(app, late);
  expect(await namesOf(await connect(only))).toEqual(['hello', 'next', 'alone']);
});

it('of two modules with the same name that are loaded at once, the second one is refused', async () => {
  const { module: app, server: only } = await openModule({ providers: [Hello] });
  const loads = ['x', 'x', 'y'].map((tool, index) =>
    load(app, module({ providers: [asking(tool)] }, `Module${index}`)),
  );
  const outcomes = await Promise.allSettled(loads);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await namesOf(await connect(only))).toEqual(['hello', 'x', 'y']);
});

it('a module that a provider loads while it is built is served', async () => {
  const early = module({ providers: [asking('early')] }, 'EarlyModule');
  const loading = {
    provide: 'loading',
    inject: [LazyModuleLoader],
    useFactory: (loader: LazyModuleLoader) => loader.load(() => early, { logger: false }),
  };
  const { server: only } = await openModule({ providers: [Hello, loading] });
  expect(await namesOf(await connect(only))).toEqual(['hello', 'early']);
});

it('a loader that a test replaces is left alone', async () => {
  const load = async (): Promise<string> => 'replaced';
  const { module: app } = await openModule({ providers: [Hello] }, {}, (builder) =>
    builder.overrideProvider(LazyModuleLoader).useValue({ load }),
  );
  expect(app.get(LazyModuleLoader)).toBeDefined();
});

it('a module that is loaded while the application closes is loaded', async () => {
  const { module: app } = await openModule({ providers: [Hello] });
  const loader = app.get(LazyModuleLoader);
  const late = module({ providers: [Alone] }, 'LateModule');
  const [, loaded] = await Promise.all([app.close(), loader.load(() => late, { logger: false })]);
  expect(loaded.get(Alone).alone()).toBe('alone');
});
