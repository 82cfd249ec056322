/** Pages of lists, and entries that come and go at run time, on every revision. */
import { DefinitionError, MemoryTransport, createServer, type McpContext, type Server } from '@sigil-mcp/core';
import type { TestClient } from '@sigil-mcp/testing';
import { IsInt, IsString } from 'class-validator';
import { turn } from '../../support/turn';
import { eachRevision } from './checked';
import { workshop } from './workshop';

class Word {
  @IsString() word!: string;
}

class Amount {
  @IsInt() amount!: number;
}

const unknown = { code: -32602 };

function namesOf(result: object): string[] {
  return Object.values(result).flatMap((list: unknown) =>
    Array.isArray(list) ? list.map(({ name }: { name: string }) => name) : [],
  );
}

/** The lists of whose changes the client was told. */
async function announced(client: TestClient): Promise<string[]> {
  await turn();
  const methods = client.notifications().map(({ method }) => method.split('/'));
  return methods.flatMap(([, what = '', change]) => (change === 'list_changed' ? [what] : []));
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

  eachRevision('are given the context second, also where they take no input', async ({ connect }) => {
    const server = workshop();
    const handler = (input: unknown, context: McpContext): string => `${String(input)} ${context.request.method}`;
    server.registry.add({ kind: 'tool', name: 'who', description: 'Says who', handler });
    server.registry.add({ kind: 'prompt', name: 'who', description: 'Says who', handler });
    server.registry.add({ kind: 'resource', name: 'who', uri: 'shop://who', handler });
    server.registry.add({ kind: 'resource', name: 'all', uri: 'shop://all/{x}', handler });
    const client = await connect(server);
    expect(await client.callTool('who')).toMatchObject({ content: [{ text: 'undefined tools/call' }] });
    expect(await client.getPrompt('who')).toMatchObject({
      messages: [{ content: { text: 'undefined prompts/get' } }],
    });
    for (const uri of ['shop://who', 'shop://all/1']) {
      expect(await client.readResource(uri)).toMatchObject({ contents: [{ text: 'undefined resources/read' }] });
    }
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
      /there is already a tool "cut", in Workshop.cut/,
    );
    expect(() =>
      server.registry.add({ kind: 'tool', name: 'no good', description: 'Bad name', handler: () => 1 }),
    ).toThrow(/not a valid tool name/);
  });
});

describe('a disabled entry', () => {
  eachRevision('is neither listed nor found, keeps its place, and comes back', async ({ connect }) => {
    const server = workshop();
    server.registry.disable('tool', 'echo');
    const client = await connect(server);
    const before = ['cut', 'count', 'shelf'];
    expect(namesOf(await client.listTools())).toEqual(expect.arrayContaining(before));
    expect(namesOf(await client.listTools())).not.toContain('echo');
    await expect(client.callTool('echo', { name: 'x' })).rejects.toMatchObject(unknown);
    expect(server.registry.enable('tool', 'echo')).toBe(true);
    expect(namesOf(await client.listTools()).slice(0, 3)).toEqual(['cut', 'echo', 'count']);
    expect(await client.callTool('echo', { name: 'x' })).toMatchObject({ content: [{ text: 'x' }] });
    server.registry.disable('tool', 'echo');
    expect(namesOf(await client.listTools()).slice(0, 2)).toEqual(['cut', 'count']);
    await expect(client.callTool('echo', { name: 'x' })).rejects.toMatchObject(unknown);
  });

  eachRevision('is unknown to reading, getting and completing', async ({ connect, revision }) => {
    const server = workshop();
    const client = await connect(server);
    server.registry.disable('resource', 'shop://plan');
    server.registry.disable('resource-template', 'shop://items/{id}');
    server.registry.disable('prompt', 'letter');
    const notFound = { code: revision < '2026-07-28' ? -32002 : -32602 };
    await expect(client.readResource('shop://plan')).rejects.toMatchObject(notFound);
    await expect(client.readResource('shop://items/1')).rejects.toMatchObject(notFound);
    await expect(client.getPrompt('letter', { name: 'Ada' })).rejects.toMatchObject(unknown);
    await expect(client.complete({ prompt: 'letter' }, 'name', '')).rejects.toMatchObject(unknown);
    await expect(client.complete({ template: 'shop://items/{id}' }, 'id', '')).rejects.toMatchObject(unknown);
    expect(namesOf(await client.listResources())).toEqual(['logo']);
    expect(namesOf(await client.listResourceTemplates())).toEqual([]);
    expect(namesOf(await client.listPrompts())).toEqual(['greet']);
    server.registry.enable('resource-template', 'shop://items/{id}');
    expect(await client.readResource('shop://items/1')).toMatchObject({ contents: [{ text: '{"id":1}' }] });
    expect(await client.complete({ template: 'shop://items/{id}' }, 'id', '24')).toMatchObject({
      completion: { total: 11 },
    });
  });

  eachRevision('does not move the cursors of its list [PAGE-004]', async ({ connect }) => {
    const server = numbered(5, 2);
    const client = await connect(server);
    const { nextCursor } = (await client.listTools()) as { nextCursor?: string };
    server.registry.disable('tool', 't1');
    server.registry.disable('tool', 't2');
    expect(namesOf(await client.listTools({ cursor: nextCursor }))).toEqual(['t3', 't4']);
    expect(await pages(client)).toEqual([['t0', 't3'], ['t4']]);
    server.registry.enable('tool', 't2');
    expect(namesOf(await client.listTools({ cursor: nextCursor }))).toEqual(['t2', 't3']);
    expect(await pages(client)).toEqual([
      ['t0', 't2'],
      ['t3', 't4'],
    ]);
  });

  eachRevision('leaves its kind advertised, so that it can come back', async ({ connect }) => {
    const server = createServer({ name: 'one', version: '1.0.0', logger: false });
    server.registry.add({ kind: 'tool', name: 'only', description: 'The only one', handler: () => 1 });
    server.registry.disable('tool', 'only');
    const client = await connect(server);
    expect(client.traffic.find(({ from }) => from === 'server')?.text).toContain('"tools":{');
    expect(namesOf(await client.listTools())).toEqual([]);
    server.registry.enable('tool', 'only');
    expect(await client.callTool('only')).toMatchObject({ content: [{ text: '1' }] });
  });

  eachRevision('is announced when it goes and when it comes, and only then', async ({ connect, revision }) => {
    const server = workshop();
    const client = await connect(server);
    const hears = revision < '2026-07-28';
    expect(server.registry.disable('tool', 'echo')).toBe(true);
    expect(server.registry.disable('tool', 'count')).toBe(true);
    expect(server.registry.disable('prompt', 'greet')).toBe(true);
    const first = hears ? ['tools', 'prompts'] : [];
    expect(await announced(client)).toEqual(first);
    expect(server.registry.disable('tool', 'echo')).toBe(false);
    server.registry.update('tool', 'echo', { description: 'Unseen' });
    expect(await announced(client)).toEqual(first);
    server.registry.enable('tool', 'echo');
    expect(await announced(client)).toEqual(hears ? [...first, 'tools'] : []);
    expect(server.registry.enable('tool', 'echo')).toBe(false);
    expect(JSON.stringify(await client.listTools())).toContain('Unseen');
  });

  eachRevision('can be removed, and its name be given again', async ({ connect }) => {
    const server = workshop();
    const client = await connect(server);
    server.registry.disable('tool', 'echo');
    expect(() => server.registry.add({ kind: 'tool', name: 'echo', description: 'Again', handler: () => 1 })).toThrow(
      /there is already a tool "echo", in/,
    );
    expect(server.registry.remove('tool', 'echo')).toBe(true);
    expect(() => server.registry.enable('tool', 'echo')).toThrow(/registry\.enable\("echo"\): there is no tool/);
    server.registry.add({ kind: 'tool', name: 'echo', description: 'Again', handler: () => 'new' });
    expect(namesOf(await client.listTools()).at(-1)).toBe('echo');
    expect(await client.callTool('echo')).toMatchObject({ content: [{ text: 'new' }] });
  });
});

describe('updating an entry', () => {
  eachRevision('changes what data said of it, in its place', async ({ connect }) => {
    const server = numbered(3, 2);
    const client = await connect(server);
    const { nextCursor } = (await client.listTools()) as { nextCursor?: string };
    server.registry.update('tool', 't1', {
      description: 'Doubles',
      input: Amount,
      handler: ({ amount }: Amount) => amount * 2,
    });
    const { tools } = (await client.listTools()) as unknown as { tools: object[] };
    expect(tools[1]).toMatchObject({
      name: 't1',
      description: 'Doubles',
      inputSchema: { properties: { amount: { type: 'integer' } } },
    });
    expect(namesOf(await client.listTools({ cursor: nextCursor }))).toEqual(['t2']);
    expect(await client.callTool('t1', { amount: 21 })).toMatchObject({ content: [{ text: '42' }] });
    server.registry.update('tool', 't1', { guards: [{ allows: () => false }] });
    expect(namesOf(await client.listTools())).toEqual(['t0']);
    await expect(client.callTool('t1', { amount: 21 })).rejects.toMatchObject(unknown);
    server.registry.update('tool', 't1', { guards: [] });
    expect(await client.callTool('t1', { amount: 2 })).toMatchObject({ content: [{ text: '4' }] });
  });

  eachRevision('changes the words of decorated ones, one after the other', async ({ connect, revision }) => {
    const server = workshop();
    server.registry.update('tool', 'cut', { description: 'Cuts boards' });
    const client = await connect(server);
    server.registry.update('tool', 'cut', { title: 'Big saw', readOnly: true });
    server.registry.update('resource', 'shop://plan', { description: 'What we build', annotations: { priority: 1 } });
    server.registry.update('resource-template', 'shop://items/{id}', { name: 'thing' });
    server.registry.update('prompt', 'letter', { description: 'Writes a long letter' });
    const { tools } = (await client.listTools()) as unknown as { tools: object[] };
    expect(tools[0]).toMatchObject({ name: 'cut', description: 'Cuts boards' });
    if (revision >= '2025-11-25') expect(tools[0]).toMatchObject({ title: 'Big saw' });
    if (revision >= '2025-03-26') {
      expect(tools[0]).toMatchObject({ annotations: { readOnlyHint: true, destructiveHint: true } });
    }
    expect(await client.callTool('cut', { wood: 'oak' })).toMatchObject({ isError: false });
    const { resources } = (await client.listResources()) as unknown as { resources: object[] };
    expect(resources[0]).toMatchObject({ description: 'What we build', annotations: { priority: 1 } });
    expect(namesOf(await client.listResourceTemplates())).toEqual(['thing']);
    expect(await client.readResource('shop://items/1')).toMatchObject({ contents: [{ text: '{"id":1}' }] });
    expect(await client.getPrompt('letter', { name: 'Ada' })).toMatchObject({ description: 'Writes a long letter' });
    expect(await client.complete({ prompt: 'letter' }, 'name', 'A')).toMatchObject({ completion: { total: 3 } });
  });

  eachRevision('is announced once, and not at all where no list shows it', async ({ connect, revision }) => {
    const server = numbered(3, 2);
    const client = await connect(server);
    server.registry.update('tool', 't0', { description: 'Tool 0' });
    server.registry.update('tool', 't1', { handler: () => 'new' });
    expect(await announced(client)).toEqual([]);
    expect(await client.callTool('t1')).toMatchObject({ content: [{ text: 'new' }] });
    server.registry.update('tool', 't0', { description: 'First' });
    server.registry.update('tool', 't1', { description: 'Second' });
    server.registry.update('tool', 't2', { guards: [{ allows: () => true }] });
    expect(await announced(client)).toEqual(revision < '2026-07-28' ? ['tools'] : []);
  });

  eachRevision('that fails leaves everything as it was', async ({ connect }) => {
    const server = workshop();
    server.registry.add({ kind: 'tool', name: 'own', description: 'Mine', handler: () => 'still' });
    const client = await connect(server);
    const listed = await client.listTools();
    const { registry } = server;
    expect(() => registry.update('tool', 'none', { description: 'x' })).toThrow(
      /registry\.update\("none"\): there is no/,
    );
    expect(() => registry.disable('prompt', 'cut')).toThrow(/there is no prompt/);
    expect(() => registry.update('tool', 'own', { description: 'x', input: { type: 'string' } })).toThrow(
      DefinitionError,
    );
    expect(() => registry.update('tool', 'own', { output: { type: 'nonsense' } })).toThrow(/registry\.update/);
    expect(() => registry.update('tool', 'own', { name: 'other' } as object)).toThrow(/cannot change name/);
    expect(() => registry.update('tool', 'cut', { handler: () => 1 })).toThrow(/handler of a decorated entry/);
    expect(() => registry.update('prompt', 'letter', { complete: {} })).toThrow(/complete of a decorated entry/);
    expect(await announced(client)).toEqual([]);
    expect(await client.listTools()).toEqual(listed);
    expect(await client.callTool('own')).toMatchObject({ content: [{ text: 'still' }] });
    registry.update('tool', 'own', { title: 'After all' });
    expect([...registry.entries('tool')].at(-1)?.definition).toMatchObject({ description: 'Mine', title: 'After all' });
  });
});
