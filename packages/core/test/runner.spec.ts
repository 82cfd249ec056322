/** A framework that calls handlers itself. */
import {
  Complete,
  createServer,
  Feature,
  ListTemplate,
  McpContext,
  Prompt,
  Resource,
  tool,
  Tool,
  UseInterceptors,
  type Call,
  type Interceptor,
  type Verdict,
  type HandlerRunner,
  type HandlerToRun,
} from '@sigil-mcp/core';
import { matchers } from '@sigil-mcp/testing';
import { eachRevision } from '../../../test/support/each-revision';
import { IsString } from 'class-validator';

expect.extend(matchers);

class City {
  @IsString() city!: string;
}

let seen: string[] = [];
beforeEach(() => (seen = []));

class Around implements Interceptor {
  async intercept({ input }: Call, next: () => Promise<unknown>): Promise<unknown> {
    seen.push(`interceptor ${input instanceof City}`);
    return next();
  }
}

@Feature()
class Weather {
  readonly number = (count += 1);

  @Tool('Tells the weather') @UseInterceptors(Around) forecast(
    { city }: City,
    extra: string,
    context: McpContext,
  ): string {
    return `${city} ${extra} ${context.client.name} ${this.number}`;
  }
  @Prompt('Asks') ask(): string {
    return `Ask ${this.number}`;
  }
  @Resource('weather://{city}') today({ city }: City): string {
    return `${city} ${this.number}`;
  }
  @ListTemplate('today') cities(): { variables: Record<string, string>; name: string }[] {
    return [{ variables: { city: `oslo-${this.number}` }, name: 'Oslo' }];
  }
  @Complete('city', 'today') complete(prefix: string): string[] {
    return [`${prefix}${this.number}`];
  }
}
let count = 0;

type Run = (...args: unknown[]) => unknown;

/** A method on an instance of its own, or the function. */
function build(handler: HandlerToRun['handler']): Run {
  if ('run' in handler) return handler.run;
  const instance = Reflect.construct(handler.feature, []) as Record<string, Run>;
  return (...values) => instance[handler.member]?.(...values);
}

// #region runner
const runner: HandlerRunner = {
  supplies: (_feature, member) => (member === 'forecast' ? [1] : []),
  handler:
    ({ handler, parameters }) =>
    async (call) => {
      seen.push(`runner ${JSON.stringify(call.call.arguments)}`);
      await call.readInput();
      const values = call.values().map((value, index) => (parameters[index] === 'nothing' ? 'extra' : value));
      const run = build(handler);
      return call.within(() => run(...values));
    },
  companion:
    ({ handler }) =>
    (_context, values) =>
      build(handler)(...values),
};
// #endregion runner

const server = createServer({
  name: 'weather',
  version: '1.0.0',
  logger: false,
  features: [Weather, tool('echo', { description: 'Echoes', input: City }, ({ city }) => city)],
  runner,
});

eachRevision('calls every method of a feature on an instance of its own', async ({ connect }) => {
  const client = await connect(server.override([]));
  const before = count;
  expect(await client.callTool('forecast', { city: 'Oslo' })).toHaveText(/^Oslo extra sigil-testing \d+$/);
  expect((await client.getPrompt('ask')).messages).toHaveLength(1);
  await client.readResource('weather://oslo');
  expect((await client.listResources()).resources[0]?.uri).toMatch(/^weather:\/\/oslo-\d+$/);
  // The container has built one as well.
  expect(count - before).toBeGreaterThanOrEqual(4);
  expect(seen.slice(0, 2)).toEqual(['runner {"city":"Oslo"}', 'interceptor true']);
});

eachRevision(
  'sees arguments before they are refused, and supplied parameters are in no schema',
  async ({ connect }) => {
    const client = await connect(server.override([]));
    await client.callTool('forecast', { city: 1 }).catch(() => undefined);
    expect(seen).toEqual(['runner {"city":1}']);
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'forecast')?.inputSchema).toMatchObject({ required: ['city'] });
    expect(await client.callTool('echo', { city: 'Oslo' })).toHaveText('Oslo');
    expect(seen.at(-1)).toBe('runner {"city":"Oslo"}');
  },
);

describe('its guard', () => {
  const asked: string[] = [];
  let verdict: Verdict = true;
  const guarded = createServer({
    name: 'weather',
    version: '1.0.0',
    logger: false,
    features: [Weather, tool('echo', { description: 'Echoes', input: City }, ({ city }) => city)],
    runner: {
      ...runner,
      guard: ({ handler }) => ({
        asksCalls: 'instead',
        allows: () => verdict,
        allowsCall: ({ arguments: given }) => {
          asked.push(`${'run' in handler ? 'function' : handler.member} ${JSON.stringify(given)}`);
          return verdict;
        },
      }),
    },
  });
  beforeEach(() => {
    asked.length = 0;
    verdict = true;
  });

  eachRevision('is asked once for a call, with its arguments, before they are read', async ({ connect }) => {
    const client = await connect(guarded.override([]));
    await client.callTool('echo', { city: 'Oslo' });
    await client.callTool('forecast', { city: 1 }).catch(() => undefined);
    expect(asked).toEqual(['function {"city":"Oslo"}', 'forecast {"city":1}']);
  });

  eachRevision('hides entries from lists, reads and completions', async ({ connect }) => {
    const client = await connect(guarded.override([]));
    verdict = false;
    expect((await client.listTools()).tools).toEqual([]);
    expect((await client.listResources()).resources).toEqual([]);
    await expect(client.callTool('echo', { city: 'Oslo' })).rejects.toThrow(/Unknown tool/);
    await expect(client.readResource('weather://oslo')).rejects.toThrow(/not found/i);
    expect(seen).toEqual([]);
  });
});

eachRevision('asks a guard of its author that has no allowsCall, whatever it declares', async ({ connect }) => {
  const closed = { asksCalls: 'instead', allows: () => false } as const;
  const features = [tool('echo', { description: 'Echoes', guards: [closed] }, () => 'leaked')];
  const client = await connect(createServer({ name: 'a', version: '1', logger: false, features }));
  await expect(client.callTool('echo')).rejects.toThrow(/Unknown tool/);
});

it('has to be an object with its methods', () => {
  expect(() => createServer({ name: 'a', version: '1', runner: {} as HandlerRunner })).toThrow(/handler and companion/);
});
