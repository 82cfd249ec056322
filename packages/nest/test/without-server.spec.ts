/** Features of `forFeature` in an application without a server: a worker, a test of theirs alone, a module that is loaded late. */
import { Inject, Injectable, Optional, UseGuards, type CanActivate, type Type } from '@nestjs/common';
import { LazyModuleLoader, NestFactory } from '@nestjs/core';
import { Test, type TestingModule } from '@nestjs/testing';
import { Feature, Server, Tool } from '@sigil-mcp/core';
import { SigilModule } from '@sigil-mcp/nest';
import { module } from './support/lazy-modules';

@Feature()
class Hello {
  @Tool('Greets') hello(): string {
    return 'hello';
  }
}
const features = SigilModule.forFeature([Hello]);
const compile = (...imports: ReturnType<typeof SigilModule.forFeature>[]): Promise<TestingModule> =>
  Test.createTestingModule({ imports }).compile();

it('features are built in a test of their module alone', async () => {
  const tested = await (await compile(features)).init();
  expect(tested.get(Hello, { strict: false }).hello()).toBe('hello');
  expect(() => tested.get(Server, { strict: false })).toThrow('Nest could not find');
  await tested.close();
});

it('features are built in an application that has no server, also when it loads them late', async () => {
  const options = { logger: false, abortOnError: false } as const;
  // `SigilModule` without its `forRoot` has no server, either.
  const app = await NestFactory.createApplicationContext(
    module({ imports: [features, SigilModule] }, 'Worker'),
    options,
  );
  expect(app.get(Hello, { strict: false }).hello()).toBe('hello');
  class Late extends Hello {}
  const loaded = await app.get(LazyModuleLoader).load(() => SigilModule.forFeature([Late]), { logger: false });
  expect(loaded.get(Late).hello()).toBe('hello');
  await app.close();
});

@Injectable()
class InConstructor {
  constructor(readonly server: Server) {}
}
@Injectable()
class ByToken {
  constructor(@Inject(Server) readonly server: unknown) {}
}
@Injectable()
class InProperty {
  @Inject(Server) readonly server?: Server;
}
@Injectable()
class Guarding implements CanActivate {
  constructor(readonly server: Server) {}
  canActivate(): boolean {
    return true;
  }
}
@Feature()
class Guarded {
  @UseGuards(Guarding)
  @Tool('Greets')
  hello(): string {
    return 'hello';
  }
}

it.each<[Type, string]>([
  [InConstructor, 'InConstructor'],
  [ByToken, 'ByToken'],
  [InProperty, 'InProperty'],
  [Guarded, 'Guarding'],
])('what injects the server there is named, with what to import: %p', async (feature, provider) => {
  await expect(compile(SigilModule.forFeature([feature]))).rejects.toMatchObject({
    code: 'SIGIL_NEST_NO_SERVER',
    message: expect.stringContaining(`${provider}, in a module of \`SigilModule.forFeature\``) as string,
  });
});

it.each([
  ['a factory', { provide: 'made', useFactory: (server: Server) => server, inject: [Server] }],
  ['a factory with an object', { provide: 'made', useFactory: () => 1, inject: [{ token: Server, optional: false }] }],
  ['another name', { provide: 'made', useExisting: Server }],
])('as is %s which injects it', async (_what, provider) => {
  await expect(compile(SigilModule.forFeature([Hello], { providers: [provider] }))).rejects.toMatchObject({
    code: 'SIGIL_NEST_NO_SERVER',
    message: expect.stringContaining('made') as string,
  });
});

@Injectable()
class MayNotify {
  @Optional() @Inject(Server) readonly property?: Server;
  constructor(@Optional() readonly server?: Server) {}
}

it('a server that is optional is left out', async () => {
  const made = {
    provide: 'made',
    useFactory: (server?: Server) => ({ server }),
    inject: [{ token: Server, optional: true }],
  };
  const tested = await compile(SigilModule.forFeature([MayNotify], { providers: [made] }));
  const { server, property } = tested.get(MayNotify, { strict: false });
  expect([server, property]).toEqual([undefined, undefined]);
  expect(tested.get('made', { strict: false })).toEqual({ server: undefined });
});

it('a test may replace the server', async () => {
  const server = { notifyResourceChanged: () => undefined };
  const builder = Test.createTestingModule({ imports: [SigilModule.forFeature([InConstructor])] });
  const tested = await builder.overrideProvider(Server).useValue(server).compile();
  expect(tested.get(InConstructor, { strict: false }).server).toBe(server);
});
