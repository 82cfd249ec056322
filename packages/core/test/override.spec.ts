/** Another server of the same definition, with other providers. */
import {
  Caller,
  DefinitionError,
  Feature,
  Inject,
  Injectable,
  McpContext,
  MemoryTransport,
  SingletonContainer,
  Tool,
  UseGuards,
  createServer,
  type Guard,
  type OnStop,
  type Provider,
  type Server,
} from '@sigil-mcp/core';

import { connect } from '@sigil-mcp/testing';

const built: string[] = [];

class Wire {
  constructor() {
    built.push('wire');
  }
}

@Injectable()
class Api implements OnStop {
  constructor(_wire: Wire) {
    built.push('api');
  }

  today(): string {
    return 'rain';
  }

  onStop(): void {
    built.push('api stopped');
  }
}

@Injectable()
class Closed implements Guard {
  allows(): boolean {
    return false;
  }
}

@Feature()
class Weather {
  calls = 0;

  constructor(
    private readonly api: Api,
    @Inject('CITY') private readonly city: string,
  ) {}

  @Tool('The weather')
  today(context: McpContext): string {
    this.calls += 1;
    return `${this.city}: ${this.api.today()}, call ${this.calls} of ${context.caller.id}`;
  }

  @Tool('Behind a guard')
  @UseGuards(Closed)
  hidden(): string {
    return 'seen';
  }
}

const weather = (more: Partial<Parameters<typeof createServer>[0]> = {}): Server =>
  createServer({
    name: 'weather',
    version: '1.0.0',
    features: [Weather],
    providers: [Api, { provide: 'CITY', useValue: 'Oslo' }],
    logger: false,
    ...more,
  });
const sunny: Provider = { provide: Api, useValue: { today: () => 'sun' } };

async function today(server: Server): Promise<unknown> {
  const client = await connect(server);
  const { content } = await client.callTool('today');
  await client.close();
  return content[0]?.text;
}

beforeEach(() => void built.splice(0));

describe('server.override()', () => {
  it('puts a value in the place of a class, and leaves the original as it was', async () => {
    const original = weather();
    const other = original.override([sunny]);
    expect(await today(other)).toBe('Oslo: sun, call 1 of anonymous');
    expect(await today(original)).toBe('Oslo: rain, call 1 of anonymous');
    expect(await today(other)).toBe('Oslo: sun, call 2 of anonymous');
    await other.close();
    expect(await today(original)).toBe('Oslo: rain, call 2 of anonymous');
    await original.close();
    await expect(today(original)).rejects.toThrow('closed');
  });

  it('can be called on a server that was closed, and on one that is an override itself', async () => {
    const original = weather();
    await original.close();
    const first = original.override([sunny]);
    const second = first.override([{ provide: 'CITY', useFactory: () => 'Cairo' }]);
    expect(await today(first)).toBe('Oslo: sun, call 1 of anonymous');
    expect(await today(second)).toBe('Cairo: sun, call 1 of anonymous');
    await Promise.all([first.close(), second.close()]);
  });

  it('builds neither what was replaced nor what only that needed', async () => {
    const other = weather().override([sunny]);
    await today(other);
    await other.close();
    expect(built).toEqual([]);
  });

  it('replaces classes that nobody named among the providers, features and guards too', async () => {
    class Fake extends Api {
      override today(): string {
        return 'hail';
      }
    }
    const other = weather({ providers: [{ provide: 'CITY', useValue: 'Oslo' }] }).override([
      { provide: Api, useClass: Fake },
      { provide: Wire, useValue: {} },
      { provide: Closed, useValue: { allows: () => true } },
    ]);
    expect(await today(other)).toContain('hail');
    const client = await connect(other);
    expect(await client.callTool('hidden')).toMatchObject({ content: [{ text: 'seen' }] });
    const fake = weather().override([{ provide: Weather, useValue: { today: () => 'fog', hidden: () => '' } }]);
    expect(await today(fake)).toBe('fog');
    await Promise.all([other.close(), fake.close()]);
  });

  it('stops what it replaced with, and not what the original has', async () => {
    const original = weather();
    await today(original);
    const stopped: string[] = [];
    const other = original.override([
      { provide: Api, useValue: { today: () => 'sun', onStop: () => stopped.push('sun') } },
    ]);
    await today(other);
    await other.close();
    expect([stopped, built]).toEqual([['sun'], ['wire', 'api']]);
    await original.close();
    expect(built).toEqual(['wire', 'api', 'api stopped']);
  });

  it('refuses tokens that nothing knows, all at once, and names those that are known', () => {
    class Stranger {}
    const override = (): Server => weather().override([Stranger, { provide: 'TOWN', useValue: 'Oslo' }, sunny]);
    expect(override).toThrow(DefinitionError);
    expect(override).toThrow(
      [
        'The server has 2 definition errors:',
        '  1. server.override(Stranger): the server does not use Stranger: it is not a provider, and no constructor asks for it.',
        '     Override one of these: Server, ServerRegistry, Wire, Api, "CITY", Weather, Closed. [SIGIL_UNKNOWN_OVERRIDE]',
        '  2. server.override("TOWN"): the server does not use "TOWN": it is not a provider, and no constructor asks for it.',
      ].join('\n'),
    );
  });

  it('says so when a class was loaded twice', () => {
    const twin = { Api: class {} }.Api;
    Object.defineProperty(twin, 'name', { value: 'Api' });
    expect(() => weather().override([{ provide: twin, useValue: {} }])).toThrow('its module was loaded twice');
  });

  it('refuses a server whose container is the user’s own', () => {
    class OwnContainer {
      readonly #inner = new SingletonContainer();
      prepare = this.#inner.prepare.bind(this.#inner);
      build = this.#inner.build.bind(this.#inner);
      get = this.#inner.get.bind(this.#inner);
      start = this.#inner.start.bind(this.#inner);
      stop = this.#inner.stop.bind(this.#inner);
    }
    for (const container of [new OwnContainer(), new SingletonContainer()])
      expect(() => weather({ container }).override([sunny])).toThrow('[SIGIL_OVERRIDE_FOREIGN_CONTAINER]');
  });

  it('reports what is wrong with the other providers as createServer() does', () => {
    const needy: Provider = { provide: Api, useFactory: () => ({}), inject: ['NOWHERE'] };
    expect(() => weather().override([needy])).toThrow('no provider for "NOWHERE"');
  });
});

it('the memory transport says who calls, if it is told', async () => {
  const server = weather();
  const transport = new MemoryTransport();
  await server.listen(transport);
  const texts: string[] = [];
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'today', _meta } });
  transport.connect((text) => void texts.push(text), { caller: new Caller({ id: 'ada' }) }).send(call);
  transport.connect((text) => void texts.push(text), { headers: { 'x-city': 'Oslo' } }).send(call);
  await server.close();
  expect(texts.map((text) => /of (\w+)/.exec(text)?.[1])).toEqual(['ada', 'anonymous']);
});
