/** Modules that an application loads while it runs: what they provide is served, in the same way as what was there at its start. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import {
  Injectable,
  Scope,
  UseGuards,
  type CanActivate,
  type DynamicModule,
  type ExecutionContext,
  type INestApplication,
  type OnModuleInit,
} from '@nestjs/common';
import { APP_GUARD, LazyModuleLoader } from '@nestjs/core';
import { Feature, Tool } from '@sigil-mcp/core';
import { SigilModule } from '@sigil-mcp/nest';
import { connect } from '@sigil-mcp/testing';
import '@sigil-mcp/testing/matchers';
import { eachRevision } from '../../../test/support/each-revision';
import { load, module, namesOf, openModules, server } from './support/lazy-modules';
import { openApplication, openModule, PLATFORMS } from './support/open-application';

const REFUSED = { isError: true, content: [{ text: 'Forbidden resource' }] };

@Injectable()
class Depot {
  readonly lawn = 'mown';
}
@Feature()
class Hello {
  @Tool('Greets') hello(): string {
    return 'hello';
  }
}
@Injectable()
class Deny implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}
@Injectable({ scope: Scope.REQUEST })
class Counted implements CanActivate {
  static asked: string[] = [];

  canActivate(context: ExecutionContext): boolean {
    Counted.asked.push(context.getHandler().name);
    return true;
  }
}
@Feature()
class Garden {
  constructor(private readonly depot: Depot) {}

  @Tool('Looks at the lawn') lawn(): string {
    return this.depot.lawn;
  }
  @Tool('Is for nobody') @UseGuards(Deny) hidden(): string {
    return 'leaked';
  }
}
@Feature()
class Alone {
  @Tool('Is alone') alone(): string {
    return 'alone';
  }
}
@Injectable({ scope: Scope.REQUEST })
class PerRequest {
  static built = 0;
  readonly number = ++PerRequest.built;

  @Tool('Has a number of its own') ticket(): string {
    return String(this.number);
  }
}
@Feature()
class Clashing {
  @Tool('Is there already', { name: 'hello' }) again(): string {
    return 'again';
  }
  @Tool('Is fine') fine(): string {
    return 'fine';
  }
}

/** An application with two servers, each with one tool. */
const open = (one: DynamicModule, two: DynamicModule): Promise<INestApplication> =>
  openModules([
    module({ imports: [one], providers: [Hello] }, 'OneModule'),
    module({ imports: [two], providers: [Alone] }, 'TwoModule'),
  ]);

describe.each(PLATFORMS)('on %s', (platform) => {
  eachRevision(
    'the tools of a loaded module are listed and called, with the guards around them',
    async ({ connect }) => {
      const { app, url } = await openApplication(platform, { providers: [Hello] });
      const client = await connect(url);
      expect(await namesOf(client)).toEqual(['hello']);
      await load(app, module({ providers: [Depot, Garden] }, 'GardenModule'));
      expect(await namesOf(client)).toEqual(['hello', 'lawn']);
      expect(await client.callTool('lawn')).toHaveText('mown');
      expect(await client.callTool('hidden')).toMatchObject(REFUSED);
    },
  );
});

it('clients are told that there are more tools', async () => {
  const { app, url } = await openApplication('express', { providers: [Hello] });
  const client = new Client({ name: 'official', version: '1.0.0' });
  const told = new Promise<void>((resolve) =>
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve()),
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  await load(app, module({ providers: [Depot, Garden] }, 'GardenModule'));
  await told;
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['hello', 'lawn']);
  expect(await client.callTool({ name: 'lawn' })).toMatchObject({ content: [{ text: 'mown' }] });
  await client.close();
});

it('what a loaded module imports is served, too, each class once', async () => {
  const { module: app, server: served } = await openModule({ providers: [Hello] });
  const client = await connect(served);
  const garden = module({ providers: [Depot, Garden], exports: [Depot] }, 'GardenModule');
  await Promise.all([load(app, module({ imports: [garden], providers: [Hello] }, 'Outer')), load(app, garden)]);
  await load(app, garden);
  await load(app, SigilModule.forFeature([Alone]));
  expect(await namesOf(client)).toEqual(['hello', 'lawn', 'alone']);
  expect(await client.callTool('lawn')).toHaveText('mown');
});

it('a module that is loaded before the application has started is served from its start', async () => {
  class Early implements OnModuleInit {
    constructor(private readonly loader: LazyModuleLoader) {}
    async onModuleInit(): Promise<void> {
      await this.loader.load(() => module({ providers: [Depot, Garden] }, 'GardenModule'), { logger: false });
    }
  }
  Injectable()(Early);
  Reflect.defineMetadata('design:paramtypes', [LazyModuleLoader], Early);
  const { server: served } = await openModule({ providers: [Early] });
  expect(await namesOf(await connect(served))).toEqual(['lawn']);
});

it('global guards and features of each request are as those of the start', async () => {
  Counted.asked = [];
  const { module: app, server: served } = await openModule({
    providers: [Hello, { provide: APP_GUARD, useClass: Counted }],
  });
  const client = await connect(served);
  await load(app, module({ providers: [PerRequest] }, 'RequestModule'));
  const [one, two] = [await client.callTool('ticket'), await client.callTool('ticket')];
  expect([one, two].map(({ content }) => content)).toEqual([
    [{ type: 'text', text: '1' }],
    [{ type: 'text', text: '2' }],
  ]);
  expect(Counted.asked).toContain('ticket');
});

describe('the caller of load learns', () => {
  it('of a name that another class has, and nothing of the class is served', async () => {
    const { module: app, server: served } = await openModule({ providers: [Hello] });
    const clashing = module({ providers: [Clashing] }, 'ClashingModule');
    const refused = /Clashing\.again: there is already a tool "hello", in Hello\.hello/;
    await expect(load(app, clashing)).rejects.toThrow(refused);
    await expect(load(app, clashing)).rejects.toThrow(refused);
    expect(await namesOf(await connect(served))).toEqual(['hello']);
    served.registry.remove('tool', 'hello');
    await load(app, clashing);
    expect(await namesOf(await connect(served))).toEqual(['hello', 'fine']);
  });

  it('of tools whose kind clients were told not to expect', async () => {
    const { module: app, server: bare } = await openModule({});
    await connect(bare);
    await expect(load(app, module({ providers: [Hello] }, 'Late'))).rejects.toThrow(/capabilities/);
    const { module: announced, server: served } = await openModule({}, { capabilities: ['tools'] });
    const client = await connect(served);
    await load(announced, module({ providers: [Hello] }, 'Late'));
    expect(await namesOf(client)).toEqual(['hello']);
  });

  it('of a server that would never listen', async () => {
    const { module: app } = await openModule({ providers: [Hello] });
    const late = module({ imports: [server('late')], providers: [Depot, Garden] }, 'LateModule');
    await expect(load(app, late)).rejects.toThrow(/The server "late" is in a module that was loaded after/);
  });

  it('of a tool that none of several servers would serve', async () => {
    const [one, two] = [server('one'), server('two')];
    const app = await open(one, two);
    const lost = module({ providers: [Depot, Garden] }, 'LostModule');
    await expect(load(app, lost)).rejects.toThrow(/Garden, a provider of LostModule, is served by none of the servers/);
  });
});

it('of several servers, that which a loaded module imports serves its tools', async () => {
  const [one, two] = [server('one'), server('two')];
  const app = await open(one, two);
  await load(app, module({ imports: [two], providers: [Depot, Garden] }, 'GardenModule'));
  const base = await app.getUrl();
  const [first, second] = [await connect(`${base}/one`), await connect(`${base}/two`)];
  expect([await namesOf(first), await namesOf(second)]).toEqual([['hello'], ['alone', 'lawn']]);
});

it('an application that is closed loads modules without a server', async () => {
  const { module: app } = await openModule({ providers: [Hello] });
  const loader = app.get(LazyModuleLoader);
  await app.close();
  await loader.load(() => module({ providers: [Depot, Garden] }, 'GardenModule'), { logger: false });
});
