/** Servers without classes: tools, resources and prompts that are functions, on every revision. */
import {
  Feature, Tool, ToolFailure, createServer, prompt, resource, tool,
  type Guard, type Interceptor, type Server, type ServerOptions,
} from '@sigil-mcp/core'; // prettier-ignore
import type { TestClient } from '@sigil-mcp/testing';
import { IsIn, IsInt } from 'class-validator';
import { z } from 'zod';
import { eachRevision } from './checked';

const Sum = z.strictObject({ a: z.number(), b: z.number().default(1) });
const Total = z.object({ total: z.number() });

class Room {
  @IsInt() number!: number;
  @IsIn(['ground', 'first']) floor!: string;
}

class Members implements Guard {
  allows(): boolean {
    return false;
  }
}

class Louder implements Interceptor {
  async intercept(_call: unknown, next: () => unknown): Promise<unknown> {
    return `${String(await next())}!`;
  }
}

const add = tool(
  'add',
  { title: 'Sum', description: 'Adds two numbers', input: Sum, output: Total, readOnly: true, meta: { 'x/y': 1 } },
  ({ a, b }) => ({ total: a + b }),
);
const slow = tool(
  'slow',
  { description: 'Takes its time', timeout: 20 },
  (_nothing, { signal }) => new Promise((resolve) => signal.addEventListener('abort', resolve)),
);
const fails = tool('fails', { description: 'Fails' }, () => {
  throw new ToolFailure('No.');
});
const shout = tool('shout', { description: 'Shouts', interceptors: [Louder] }, (_nothing, context) =>
  String(context.client.name),
);
const hidden = tool('hidden', { description: 'For members', guards: [Members] }, () => 'secret');
const note = resource('hotel://note', { name: 'Note', mimeType: 'text/plain', size: 5 }, () => 'hello');
const room = resource(
  'hotel://{floor}/{number}',
  {
    name: 'Room',
    input: Room,
    list: () => [{ variables: { floor: 'first', number: '7' }, name: 'Seven' }],
    complete: { number: (prefix, context) => [`${prefix}1`, String(context.completion?.arguments['floor'])] },
  },
  ({ floor, number }) => ({ floor, number: number + 1 }),
);
const plan = prompt(
  'plan',
  {
    description: 'Plans',
    input: z.object({ month: z.enum(['May', 'June']), city: z.string().optional() }),
    complete: { city: async (typed) => Promise.resolve([`${typed}slo`]) },
  },
  ({ month, city }) => [`Plan ${month}`, `in ${city ?? 'Oslo'}`],
);

@Feature()
class Beside {
  @Tool('A method') method(): string {
    return 'method';
  }
}

const serverOf = (more: Partial<ServerOptions> = {}): Server =>
  createServer({
    name: 'functions',
    version: '1.0.0',
    features: [add, Beside, slow, fails, shout, hidden, note, room, plan],
    logger: false,
    ...more,
  });
const textOf = async (client: TestClient, name: string, args = {}): Promise<unknown> =>
  ((await client.callTool(name, args)) as unknown as { content: { text: string }[] }).content[0]?.text;

describe('functions among the features', () => {
  eachRevision(
    'are listed beside those of classes, with all that they say [TOOL-001]',
    async ({ connect, revision }) => {
      const client = await connect(serverOf());
      const { tools } = (await client.listTools()) as unknown as { tools: { name: string }[] };
      expect(tools.map(({ name }) => name)).toEqual(['add', 'method', 'slow', 'fails', 'shout']);
      expect(tools[0]).toMatchObject({
        description: 'Adds two numbers',
        inputSchema: { properties: { b: { default: 1 } }, required: ['a'], additionalProperties: false },
        ...(revision >= '2025-03-26' && { annotations: { title: 'Sum', readOnlyHint: true } }),
        ...(revision >= '2025-06-18' && {
          title: 'Sum',
          outputSchema: { properties: { total: { type: 'number' } } },
          _meta: { 'x/y': 1 },
        }),
      });
      expect(await client.listResources()).toMatchObject({
        resources: [
          { uri: 'hotel://note', name: 'Note', mimeType: 'text/plain' },
          { uri: 'hotel://first/7', name: 'Seven' },
        ],
      });
      expect(await client.listPrompts()).toMatchObject({
        prompts: [
          {
            name: 'plan',
            description: 'Plans',
            arguments: [
              { name: 'month', required: true },
              { name: 'city', required: false },
            ],
          },
        ],
      });
    },
  );

  eachRevision('run through the same pipeline', async ({ connect, revision }) => {
    const client = await connect(serverOf());
    expect(await textOf(client, 'add', { a: 2 })).toBe('{"total":3}');
    expect(await textOf(client, 'method')).toBe('method');
    expect(await textOf(client, 'shout')).toBe('sigil-testing!');
    expect(await client.callTool('slow', {})).toMatchObject({ isError: true });
    expect(await client.callTool('fails', {})).toMatchObject({ isError: true, content: [{ text: 'No.' }] });
    await expect(client.callTool('hidden', {})).rejects.toMatchObject({ code: -32602 });
    const wrong = client.callTool('add', { a: 'two' });
    if (revision < '2025-11-25')
      await expect(wrong).rejects.toMatchObject({ message: expect.stringContaining('a: must be a number') as string });
    else expect(await wrong).toMatchObject({ isError: true });
    expect(await client.readResource('hotel://note')).toMatchObject({
      contents: [{ text: 'hello', mimeType: 'text/plain' }],
    });
    expect(await client.readResource('hotel://ground/1')).toMatchObject({
      contents: [{ text: '{"floor":"ground","number":2}' }],
    });
    expect(await client.getPrompt('plan', { month: 'May' })).toMatchObject({
      messages: [{ content: { text: 'Plan May' } }, { content: { text: 'in Oslo' } }],
    });
  });

  eachRevision('complete arguments and variables', async ({ connect, revision }) => {
    const client = await connect(serverOf());
    const complete = async (ref: object, name: string, value: string): Promise<unknown> =>
      ((await client.request('completion/complete', {
        ref, argument: { name, value }, context: { arguments: { floor: 'first' } },
      } as never)) as unknown as { completion: { values: unknown } }).completion.values; // prettier-ignore
    const template = { type: 'ref/resource', uri: 'hotel://{floor}/{number}' };
    expect(await complete(template, 'number', '4')).toEqual(['41', revision >= '2025-06-18' ? 'first' : 'undefined']);
    expect(await complete(template, 'floor', 'g')).toEqual(['ground']);
    expect(await complete({ type: 'ref/prompt', name: 'plan' }, 'city', 'O')).toEqual(['Oslo']);
    expect(await complete({ type: 'ref/prompt', name: 'plan' }, 'month', 'j')).toEqual(['June']);
  });

  eachRevision('come, change and go while the server runs', async ({ connect }) => {
    const server = serverOf({ features: [add] });
    const client = await connect(server);
    server.registry.add(tool('late', { description: 'Late', input: Sum }, ({ a, b }) => a * b));
    expect(await textOf(client, 'late', { a: 4, b: 3 })).toBe('12');
    server.registry.update('tool', 'add', { description: 'Adds', handler: ({ a }: { a: number }) => ({ total: -a }) });
    expect(await textOf(client, 'add', { a: 2 })).toBe('{"total":-2}');
    expect(JSON.stringify(await client.listTools())).toContain('"Adds"');
    expect(server.registry.disable('tool', 'late')).toBe(true);
    expect(server.registry.remove('tool', 'add')).toBe(true);
    expect(await client.listTools()).toMatchObject({ tools: [] });
    expect(() => server.registry.add(tool('late', { description: 'Twice' }, () => 1))).toThrow(
      'SIGIL_ENTRY_NAME_TAKEN',
    );
  });
});
