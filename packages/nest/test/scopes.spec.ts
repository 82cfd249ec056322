/** Instances that Nest builds for the server, for each call and for each tenant. */
import {
  Controller,
  Get,
  Inject,
  Injectable,
  Module,
  Scope,
  type CanActivate,
  type ExecutionContext,
  UseGuards,
} from '@nestjs/common';
import { ConfigModule, ConfigService } from '@nestjs/config';
import {
  APP_GUARD,
  ContextIdFactory,
  REQUEST,
  type ContextId,
  type ContextIdStrategy,
  type HostComponentInfo,
} from '@nestjs/core';
import {
  Feature,
  McpContext,
  Server,
  Tool,
  UseGuards as UseSigilGuards,
  type Access,
  type Guard,
} from '@sigil-mcp/core';
import {
  McpExecutionContext,
  SigilModule,
  type McpRequest,
  type SigilOptionsFactory,
  type SigilModuleOptions,
} from '@sigil-mcp/nest';
import { connect } from '@sigil-mcp/testing';
import '@sigil-mcp/testing/matchers';
import { Test } from '@nestjs/testing';
import { openModule } from './support/open-application';
import { eachRevision } from '../../../test/support/each-revision';

let built: string[] = [];
beforeEach(() => (built = []));

@Injectable()
class Cats {
  constructor() {
    built.push('Cats');
  }

  names(): string {
    return 'Tom';
  }
}

@Injectable({ scope: Scope.REQUEST })
class CurrentUser {
  constructor(@Inject(REQUEST) readonly request: McpRequest) {
    built.push('CurrentUser');
  }

  get id(): string {
    return (this.request.user as { readonly id: string } | undefined)?.id ?? 'nobody';
  }
}

describe('a provider of the application', () => {
  @Feature()
  class CatsFeature {
    constructor(private readonly cats: Cats) {}
    @Tool('Lists cats') list(): string {
      return this.cats.names();
    }
  }

  eachRevision('is built once, and shared with the rest of the application', async ({ connect: meet }) => {
    const { module, server } = await openModule({ providers: [Cats, CatsFeature] });
    const client = await meet(server);
    expect(await client.callTool('list')).toHaveText('Tom');
    await client.callTool('list');
    expect(built).toEqual(['Cats']);
    expect(module.get(CatsFeature)).toBeInstanceOf(CatsFeature);
  });

  it('is replaced with overrideProvider of Nest, also a feature', async () => {
    const providers = [Cats, CatsFeature];
    const mocked = await openModule({ providers }, {}, (builder) =>
      builder.overrideProvider(Cats).useValue({ names: () => 'Mock' }),
    );
    expect(await (await connect(mocked.server)).callTool('list')).toHaveText('Mock');
    const whole = await openModule({ providers }, {}, (builder) =>
      builder.overrideProvider(CatsFeature).useValue({ list: () => 'whole' }),
    );
    expect(await (await connect(whole.server)).callTool('list')).toHaveText('whole');
  });

  it('may have entries without @Feature; controllers, useClass and factories of a class as well', async () => {
    @Injectable()
    class Plain {
      @Tool('Plain') plain(): string {
        return 'plain';
      }
    }
    @Controller('cats')
    class CatsController {
      constructor(private readonly cats: Cats) {}
      @Get() @Tool('Over both') both(): string {
        return this.cats.names();
      }
    }
    class Made {
      constructor(readonly text: string) {}
      @Tool('Made') made(): string {
        return this.text;
      }
    }
    class Abstract {
      @Tool('Inherited') inherited(): string {
        return this.constructor.name;
      }
    }
    class Concrete extends Abstract {}
    const providers = [
      Cats,
      Plain,
      { provide: Made, useFactory: () => new Made('made') },
      { provide: 'any', useClass: Concrete },
    ];
    const { server } = await openModule({ providers, controllers: [CatsController] });
    const client = await connect(server);
    for (const [name, text] of Object.entries({ plain: 'plain', both: 'Tom', made: 'made', inherited: 'Concrete' }))
      expect(await client.callTool(name)).toHaveText(text);
  });

  it('is found in modules of forFeature, with what those import', async () => {
    @Module({ providers: [Cats], exports: [Cats] })
    class CatsModule {}
    const { server } = await openModule({
      imports: [SigilModule.forFeature([CatsFeature], { imports: [CatsModule] })],
    });
    expect(await (await connect(server)).callTool('list')).toHaveText('Tom');
  });

  it('stops the application from starting if an entry of it is wrong', async () => {
    @Injectable()
    class Wrong {
      @Tool('Wrong') wrong(_first: { a: string }): string {
        return '';
      }
    }
    await expect(openModule({ providers: [Wrong] })).rejects.toThrow(/Wrong\.wrong/);
  });
});

describe('request scope', () => {
  @Injectable()
  class Knowing {
    constructor(readonly user: CurrentUser) {}
  }
  @Feature()
  @Injectable()
  class Scoped {
    constructor(
      private readonly user: CurrentUser,
      private readonly knowing: Knowing,
    ) {
      built.push('Scoped');
    }
    @Tool('Who') async who(context: McpContext): Promise<string> {
      const again = await context.get(CurrentUser);
      return `${this.user.id} ${this.knowing.user === this.user} ${again === this.user} ${this.user.request.mcp === context}`;
    }
  }

  eachRevision('spreads as in Nest: one instance for each call, the same for all in it', async ({ connect: meet }) => {
    const { server } = await openModule({ providers: [CurrentUser, Knowing, Scoped] });
    const [ada, bob] = [await meet(server, { as: { id: 'ada' } }), await meet(server, { as: { id: 'bob' } })];
    expect(built).toEqual([]);
    const answers = await Promise.all([ada.callTool('who'), bob.callTool('who'), ada.callTool('who')]);
    expect(answers.map(({ content }) => content[0]?.text)).toEqual(
      ['ada', 'bob', 'ada'].map((id) => `${id} true true true`),
    );
    expect(built.filter((name) => name === 'Scoped')).toHaveLength(3);
    expect(built.filter((name) => name === 'CurrentUser')).toHaveLength(3);
  });

  eachRevision('holds for guards, also for global ones around a feature without it', async ({ connect: meet }) => {
    @Injectable({ scope: Scope.REQUEST })
    class OnlyAda implements CanActivate {
      constructor(private readonly user: CurrentUser) {}
      canActivate(context: ExecutionContext): boolean {
        const { user } = McpExecutionContext.create(context).getRequest();
        return this.user.id === 'ada' && user === this.user.request.user;
      }
    }
    @Feature()
    class Local {
      @Tool('Looks') @UseGuards(OnlyAda) look(): string {
        return 'seen';
      }
    }
    @Feature()
    class Global {
      @Tool('Looks') look(): string {
        return 'seen';
      }
    }
    for (const providers of [
      [CurrentUser, Local],
      [CurrentUser, Global, { provide: APP_GUARD, scope: Scope.REQUEST, useClass: OnlyAda }],
    ]) {
      const { server } = await openModule({ providers });
      expect(await (await meet(server, { as: { id: 'ada' } })).callTool('look')).toHaveText('seen');
      expect(await (await meet(server, { as: { id: 'bob' } })).callTool('look')).toMatchObject({ isError: true });
    }
  });

  eachRevision('is durable for each tenant, with the payload of the strategy', async ({ connect: meet }) => {
    @Injectable({ scope: Scope.REQUEST, durable: true })
    class Tenant {
      constructor(@Inject(REQUEST) readonly payload: { readonly tenant: string }) {
        built.push(`Tenant ${payload.tenant}`);
      }
    }
    @Feature()
    class Tenants {
      constructor(private readonly tenant: Tenant) {}
      @Tool('Tells') tell(): string {
        return this.tenant.payload.tenant;
      }
    }
    const roots = new Map<string, ContextId>();
    class ByTenant implements ContextIdStrategy<McpRequest> {
      attach(contextId: ContextId, request: McpRequest): ReturnType<ContextIdStrategy['attach']> {
        const tenant = (request.user as { readonly id: string }).id;
        const root = roots.get(tenant) ?? ContextIdFactory.create();
        roots.set(tenant, root);
        return {
          resolve: (info: HostComponentInfo) => (info.isTreeDurable ? root : contextId),
          payload: { tenant },
        };
      }
    }
    ContextIdFactory.apply(new ByTenant());
    try {
      const { server } = await openModule({ providers: [Tenant, Tenants] });
      const [ada, bob] = [await meet(server, { as: { id: 'ada' } }), await meet(server, { as: { id: 'bob' } })];
      for (const [client, id] of [
        [ada, 'ada'],
        [bob, 'bob'],
        [ada, 'ada'],
      ] as const)
        expect(await client.callTool('tell')).toHaveText(id);
      expect(built.sort()).toEqual(['Tenant ada', 'Tenant bob']);
    } finally {
      ContextIdFactory.apply(undefined as never);
    }
  });

  eachRevision('of Transient gives an instance to each call', async ({ connect: meet }) => {
    let count = 0;
    @Injectable({ scope: Scope.TRANSIENT })
    class Fresh {
      readonly number = (count += 1);
      @Tool('Numbers') number_(): string {
        return String(this.number);
      }
    }
    const { server } = await openModule({ providers: [Fresh] });
    const client = await meet(server);
    expect((await client.callTool('number_')).content).not.toEqual((await client.callTool('number_')).content);
  });
});

describe('guards and values of Sigil', () => {
  class WithCats implements Guard {
    constructor(private readonly cats: Cats) {}
    async allows({ get }: Access): Promise<boolean> {
      built.push('asked');
      return this.cats.names() === 'Tom' && typeof get === 'function';
    }
  }
  Injectable()(WithCats);
  Reflect.defineMetadata('design:paramtypes', [Cats], WithCats);

  it('are built with providers of Nest, and context.get finds those', async () => {
    @Feature()
    class Both {
      @Tool('Looks') @UseSigilGuards(WithCats) async look(context: McpContext): Promise<string> {
        return (await context.get(Cats)).names();
      }
    }
    const { server } = await openModule({ providers: [Cats, Both] });
    expect(await (await connect(server)).callTool('look')).toHaveText('Tom');
    expect(built).toContain('asked');
    expect(built.filter((name) => name === 'Cats')).toHaveLength(1);
  });
});

describe('options', () => {
  @Feature()
  class Named {
    constructor(
      private readonly server: Server,
      private readonly config: ConfigService,
    ) {}
    @Tool('Names') name(): string {
      return `${this.config.get<string>('NAME')} ${[...this.server.registry.entries('tool')].map(({ key }) => key).join()}`;
    }
  }
  @Injectable()
  class FromConfig implements SigilOptionsFactory {
    constructor(private readonly config: ConfigService) {}
    createSigilOptions(): SigilModuleOptions {
      return { name: this.config.getOrThrow('NAME'), version: '2.0.0', logger: false };
    }
  }
  const config = ConfigModule.forRoot({ isGlobal: true, ignoreEnvFile: true, load: [() => ({ NAME: 'configured' })] });

  it.each([
    [
      'useFactory',
      {
        imports: [config],
        inject: [ConfigService],
        useFactory: (from: ConfigService) => new FromConfig(from).createSigilOptions(),
      },
    ],
    ['useClass', { imports: [config], useClass: FromConfig }],
    [
      'useExisting',
      {
        imports: [{ module: class Made {}, imports: [config], providers: [FromConfig], exports: [FromConfig] }],
        useExisting: FromConfig,
      },
    ],
  ])('come from %s, with ConfigModule', async (_name, options) => {
    const module = await Test.createTestingModule({
      imports: [SigilModule.forRootAsync(options)],
      providers: [Named],
    }).compile();
    await module.init();
    const client = await connect(module.get(Server));
    expect(await client.request('server/discover')).toMatchObject({
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'configured', version: '2.0.0' } },
    });
    expect(await client.callTool('name')).toHaveText('configured name');
    await module.close();
  });
});
