/** Pages of lists, and entries that come and go at run time, on every revision. */
import { DefinitionError, MemoryTransport, createServer, type McpContext, type Server } from '@sigil-mcp/core';
import type { TestClient } from '@sigil-mcp/testing';
import { IsString } from 'class-validator';
import { eachRevision } from './checked';
import { workshop } from './workshop';

class Word {
  @IsString() word!: string;
}

function numbered(count: number, pageSize: number): Server {
  const server = createServer({
    name: 'numbered',
    version: '1.0.0',
    pageSize,
    logger: false,
    capabilities: ['resources'],
  });
  for (let index = 0; index < count; index++) {
    server.registry.add({ kind: 'tool', name: `t${index}`, description: `Tool ${index}`, handler: () => index });
  }
  return server;
}

async function pages(client: TestClient): Promise<string[][]> {
  const all: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = (await client.listTools({ cursor })) as unknown as { tools: { name: string }[]; nextCursor?: string };
    all.push(page.tools.map(({ name }) => name));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return all;
}

describe('pages', () => {
  eachRevision('cut a list, and the last has no cursor [PAGE-001, PAGE-002, PAGE-003]', async ({ connect }) => {
    const client = await connect(numbered(5, 2));
    expect(await pages(client)).toEqual([['t0', 't1'], ['t2', 't3'], ['t4']]);
    const exact = await connect(numbered(4, 2));
    expect(await pages(exact)).toEqual([
      ['t0', 't1'],
      ['t2', 't3'],
    ]);
  });

  eachRevision('cursors hold while entries come and go [PAGE-004]', async ({ connect }) => {
    const server = numbered(6, 2);
    const client = await connect(server);
    const { nextCursor } = (await client.listTools()) as { nextCursor?: string };
    server.registry.remove('tool', 't1');
    server.registry.remove('tool', 't2');
    server.registry.add({ kind: 'tool', name: 'new', description: 'New', handler: () => 1 });
    const page = await client.listTools({ cursor: nextCursor });
    expect((page['tools'] as unknown as { name: string }[]).map(({ name }) => name)).toEqual(['t3', 't4']);
    expect((await pages(client)).flat()).toEqual(['t0', 't3', 't4', 't5', 'new']);
  });

  eachRevision('a cursor that this server did not write is refused [PAGE-005]', async ({ connect }) => {
    const client = await connect(numbered(5, 2));
    const forged = [
      '',
      'nonsense',
      '0',
      Buffer.from('tool:99').toString('base64url'),
      Buffer.from('tool:-1').toString('base64url'),
      Buffer.from('prompt:1').toString('base64url'),
    ];
    for (const cursor of forged) await expect(client.listTools({ cursor })).rejects.toMatchObject({ code: -32602 });
    await expect(client.request('tools/list', { cursor: 5 })).rejects.toMatchObject({ code: -32602 });
  });

  eachRevision(
    'of one list share their scope [CACHE-003]',
    async ({ connect }) => {
      const client = await connect(numbered(5, 2));
      const first = (await client.listTools()) as { nextCursor?: string; cacheScope?: string };
      const second = await client.listTools({ cursor: first.nextCursor });
      expect([first.cacheScope, second['cacheScope']]).toEqual(['private', 'private']);
    },
    { since: '2026-07-28' },
  );
});

describe('entries described by data', () => {
  eachRevision('run through the same pipeline as decorated ones', async ({ connect, revision }) => {
    const server = workshop();
    const client = await connect(server);
    server.registry.add({
      kind: 'tool',
      name: 'reverse',
      description: 'Says it backwards',
      input: Word,
      handler: ({ word }: Word, context: McpContext) =>
        `${[...word].reverse().join('')} ${String(context.client.name)}`,
    });
    expect(JSON.stringify(await client.listTools())).toContain('"reverse"');
    expect(await client.callTool('reverse', { word: 'saw' })).toMatchObject({
      content: [{ text: 'was sigil-testing' }],
    });
    const wrong = client.callTool('reverse', { word: 5 });
    if (revision < '2025-11-25') await expect(wrong).rejects.toMatchObject({ code: -32602 });
    else expect(await wrong).toMatchObject({ isError: true });
    expect(server.registry.remove('tool', 'reverse')).toBe(true);
    expect(server.registry.remove('tool', 'reverse')).toBe(false);
    await expect(client.callTool('reverse', { word: 'saw' })).rejects.toMatchObject({ code: -32602 });
    expect(JSON.stringify(await client.listTools())).not.toContain('"reverse"');
  });

  eachRevision(
    'may take a raw JSON Schema, which is listed unaltered [BASE-038, BASE-040]',
    async ({ connect, revision }) => {
      const input = {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: { word: { type: 'string', minLength: 2 } },
        required: ['word'],
        if: { properties: { word: { const: 'ab' } } },
        then: { required: ['more'] },
      };
      const server = workshop();
      server.registry.add({
        kind: 'tool',
        name: 'raw',
        description: 'Takes a schema',
        input,
        handler: (data: unknown) => data,
      });
      const client = await connect(server);
      const tools = (await client.listTools())['tools'] as unknown as { name: string; inputSchema: object }[];
      expect(tools.find(({ name }) => name === 'raw')?.inputSchema).toEqual(input);
      expect(await client.callTool('raw', { word: 'saw', free: 1 })).toMatchObject({
        content: [{ text: '{"word":"saw","free":1}' }],
      });
      const wrong = client.callTool('raw', { word: 'ab' });
      if (revision < '2025-11-25') await expect(wrong).rejects.toMatchObject({ code: -32602 });
      else expect(await wrong).toMatchObject({ isError: true });
    },
  );

  eachRevision('may be resources, templates and prompts', async ({ connect }) => {
    const server = workshop();
    server.registry.add({ kind: 'resource', name: 'note', uri: 'shop://note', handler: () => 'buy glue' });
    server.registry.add({
      kind: 'resource',
      name: 'word',
      uri: 'shop://words/{word}',
      input: Word,
      handler: ({ word }: Word) => word,
    });
    server.registry.add({
      kind: 'prompt',
      name: 'ask',
      description: 'Asks',
      input: Word,
      handler: ({ word }: Word) => `What is ${word}?`,
    });
    const client = await connect(server);
    expect(await client.readResource('shop://note')).toMatchObject({ contents: [{ text: 'buy glue' }] });
    expect(await client.readResource('shop://words/glue')).toMatchObject({ contents: [{ text: 'glue' }] });
    expect(await client.getPrompt('ask', { word: 'glue' })).toMatchObject({
      messages: [{ content: { text: 'What is glue?' } }],
    });
  });

  it('of a kind that is not advertised are refused with the option that helps', async () => {
    const server = createServer({ name: 'bare', version: '1.0.0', logger: false });
    await server.listen(new MemoryTransport());
    const add = (): void =>
      server.registry.add({ kind: 'prompt', name: 'ask', description: 'Asks', handler: () => 'x' });
    expect(add).toThrow(DefinitionError);
    expect(add).toThrow(/capabilities: \['prompts'\]/);
  });

  it('that are refused leave nothing behind', async () => {
    const server = workshop();
    await server.listen(new MemoryTransport());
    const tools = (): string[] => [...server.registry.entries('tool')].map(({ key }) => key);
    const before = tools();
    for (const name of ['no good', 'cut', '']) {
      expect(() => server.registry.add({ kind: 'tool', name, description: 'Refused', handler: () => 1 })).toThrow(
        DefinitionError,
      );
    }
    expect(tools()).toEqual(before);
  });

  it('with a name that is taken are refused', () => {
    const server = workshop();
    expect(() => server.registry.add({ kind: 'tool', name: 'cut', description: 'Again', handler: () => 1 })).toThrow(
      /already a tool/,
    );
    expect(() =>
      server.registry.add({ kind: 'tool', name: 'no good', description: 'Bad name', handler: () => 1 }),
    ).toThrow(/no tool name/);
  });
});
