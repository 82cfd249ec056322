/** A framework that calls the methods of features itself. */
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
  type Constructor,
  type Interceptor,
  type MethodRunner,
} from '@sigil-mcp/core';
import { eachRevision, matchers } from '@sigil-mcp/testing';
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

type Methods = Readonly<Record<string, (...args: unknown[]) => unknown>>;
const build = (feature: Constructor): Methods => Reflect.construct(feature, []) as Methods;

// #region runner
const runner: MethodRunner = {
  supplies: (_feature, member) => (member === 'forecast' ? [1] : []),
  handler:
    ({ feature, member, parameters }) =>
    async (call) => {
      seen.push(`runner ${JSON.stringify(call.call.arguments)}`);
      await call.readInput();
      const values = call.values().map((value, index) => (parameters[index] === 'nothing' ? 'extra' : value));
      const instance = build(feature);
      return call.within(() => instance[member]?.(...values));
    },
  companion:
    ({ feature, member }) =>
    (_context, values) =>
      build(feature)[member]?.(...values),
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
  },
);

it('has to be an object with its methods', () => {
  expect(() => createServer({ name: 'a', version: '1', runner: {} as MethodRunner })).toThrow(/handler and companion/);
});
