/** Suggestions that need no method, and what the methods that give them are told, on every revision. */
import { IsBoolean, IsEnum, IsIn, IsOptional, IsString } from 'class-validator';
import { Complete, Feature, McpContext, Nullable, Prompt, Resource, createServer, type Server } from '@sigil-mcp/core';
import { eachRevision } from './checked';
import { Wood } from './workshop';

enum Size {
  Small = 1,
  Large = 10,
}

class Order {
  @IsEnum(Wood) wood!: Wood;
  @IsEnum(Size) size!: Size;
  @IsOptional() @IsBoolean() planed?: boolean;
  @Nullable() @IsIn(['Matt', 'Gloss']) finish!: string | null;
  @IsString() note!: string;
  @IsEnum(Wood) edge!: Wood;
}

class Stack {
  @IsEnum(Wood) wood!: Wood;
}

@Feature()
class Yard {
  @Prompt('Orders boards')
  order({ wood }: Order): string {
    return `Order ${wood}.`;
  }

  @Complete('edge', 'order')
  edges(prefix: string, context: McpContext): string[] {
    const { argument, arguments: previous } = context.completion ?? { argument: '?', arguments: {} };
    return [`${prefix} of ${argument}`, ...Object.entries(previous).flat()];
  }

  @Prompt('Tells what it knows of completions')
  ask(context: McpContext): string {
    return typeof context.completion;
  }
}

@Feature()
class Stacks {
  @Resource('yard://{wood}')
  stack({ wood }: Stack): string {
    return wood;
  }
}

const yard = (): Server => createServer({ name: 'yard', version: '1.0.0', features: [Yard], logger: false });
const offering = (values: string[]) => ({ completion: { values, total: values.length, hasMore: false } });

describe('arguments that list their values', () => {
  eachRevision('complete themselves by prefix, in any case', async ({ connect }) => {
    const client = await connect(yard());
    const complete = (name: string, value: string) => client.complete({ prompt: 'order' }, name, value);
    expect(await complete('wood', '')).toMatchObject(offering(['oak', 'pine']));
    expect(await complete('wood', 'PI')).toMatchObject(offering(['pine']));
    expect(await complete('wood', 'x')).toMatchObject(offering([]));
    expect(await complete('size', '1')).toMatchObject(offering(['1', '10']));
    expect(await complete('planed', '')).toMatchObject(offering(['true', 'false']));
    expect(await complete('planed', 'F')).toMatchObject(offering(['false']));
    expect(await complete('finish', 'm')).toMatchObject(offering(['Matt']));
    expect(await complete('note', '')).toMatchObject(offering([]));
  });

  eachRevision(
    'of another name are an empty list; only another prompt or template is an error [COMPL-004]',
    async ({ connect }) => {
      const client = await connect(yard());
      expect(await client.complete({ prompt: 'order' }, 'nothing', '')).toMatchObject(offering([]));
      await expect(client.complete({ prompt: 'nobody' }, 'wood', '')).rejects.toMatchObject({ code: -32602 });
    },
  );

  eachRevision(
    'do so as variables of a template, which is enough for the capability',
    async ({ connect, revision }) => {
      const client = await connect(createServer({ name: 'y', version: '1', features: [Stacks], logger: false }));
      expect(await client.complete({ template: 'yard://{wood}' }, 'wood', 'o')).toMatchObject(offering(['oak']));
      const greeting = client.traffic.find(({ from }) => from === 'server')?.text;
      if (revision > '2024-11-05') expect(greeting).toContain('"completions":{}');
    },
  );

  eachRevision('do so in entries described by data, also when they are updated', async ({ connect }) => {
    const server = yard();
    const client = await connect(server);
    const described = { name: 'cut', description: 'Cuts', input: Stack, handler: ({ wood }: Stack) => wood };
    server.registry.add({ kind: 'prompt', ...described });
    expect(await client.complete({ prompt: 'cut' }, 'wood', 'p')).toMatchObject(offering(['pine']));
    server.registry.update('prompt', 'cut', { input: Order });
    expect(await client.complete({ prompt: 'cut' }, 'size', '10')).toMatchObject(offering(['10']));
    server.registry.update('prompt', 'order', { title: 'Orders' });
    expect(await client.complete({ prompt: 'order' }, 'wood', 'p')).toMatchObject(offering(['pine']));
  });

  eachRevision('leave the word to a method with @Complete', async ({ connect }) => {
    const client = await connect(yard());
    expect(await client.complete({ prompt: 'order' }, 'edge', 'o')).toMatchObject(offering(['o of edge']));
  });
});

describe('a completer', () => {
  eachRevision(
    'is told of the arguments before its own',
    async ({ connect }) => {
      const client = await connect(yard());
      const completion = await client.request('completion/complete', {
        ref: { type: 'ref/prompt', name: 'order' },
        argument: { name: 'edge', value: 'o' },
        context: { arguments: { wood: 'oak', size: '10' } },
      });
      expect(completion).toMatchObject(offering(['o of edge', 'wood', 'oak', 'size', '10']));
    },
    { since: '2025-06-18' },
  );

  eachRevision('alone knows of a completion', async ({ connect }) => {
    const client = await connect(yard());
    expect(await client.getPrompt('ask')).toMatchObject({ messages: [{ content: { text: 'undefined' } }] });
  });
});
