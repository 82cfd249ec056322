/** Options of `SigilModule` that do not exist, or are of another kind, which JavaScript, a cast or a spread can pass. */
import { Module, type DynamicModule } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { SigilModule, type SigilModuleAsyncOptions, type SigilModuleOptions } from '@sigil-mcp/nest';

const named = { name: 'zoo', version: '1.0.0', logger: false } as const;

const started = async (module: DynamicModule): Promise<unknown> => {
  @Module({ imports: [module] })
  class Application {}
  return Test.createTestingModule({ imports: [Application] }).compile();
};

describe.each<[string, (options: object) => DynamicModule]>([
  ['forRoot', (options) => SigilModule.forRoot({ ...named, ...options })],
  ['forRootAsync', (options) => SigilModule.forRootAsync({ useFactory: () => ({ ...named, ...options }) })],
])('the options of %s', (_name, module) => {
  it.each([
    [{ globalPrefx: false }, 'SigilModule({ globalPrefx }): there is no such option.', 'Did you mean globalPrefix?'],
    [{ toolTimout: 1 }, 'SigilModule({ toolTimout }): there is no such option.', 'Did you mean toolTimeout?'],
    [
      { http: { allowedHost: ['a'] } },
      'SigilModule({ http: { allowedHost } }): there is no such option.',
      'Did you mean allowedHosts?',
    ],
    [{ http: true }, 'SigilModule({ http }): it is true.', 'Pass false or an object.'],
    [{ withoutUser: 'none' }, 'SigilModule({ withoutUser }): it is "none".', "Pass 'everything' or 'public'."],
  ])('are refused when the application is created: %j', async (options, problem, fix) => {
    const creation = started(module(options));
    await expect(creation).rejects.toThrow(problem);
    await expect(creation).rejects.toThrow(fix);
  });

  it.each<[Partial<SigilModuleOptions>]>([
    [{ http: false, globalPrefix: false, stdio: false }],
    [{ http: { allowedHosts: ['a.example'] }, withoutUser: 'public', endpointGuards: [] }],
  ])('are taken: %j', async (options) => {
    await expect(started(module(options))).resolves.toBeDefined();
  });
});

it('forRootAsync refuses options that do not exist at once', () => {
  const options = { useFactroy: () => named } as unknown as SigilModuleAsyncOptions;
  expect(() => SigilModule.forRootAsync(options)).toThrow('Did you mean useFactory?');
});
