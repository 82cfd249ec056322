/** Tools, on every revision: how they are listed, called, and how what they return is written. */
import { eachRevision } from './checked';
import { PNG, WAV, workshop } from './workshop';

const OBJECTS_SINCE = '2025-06-18';
const NEWEST = '2026-07-28';

interface Listed {
  readonly name: string;
  readonly [member: string]: unknown;
}

describe('tools/list', () => {
  eachRevision(
    'lists each tool with a name, a description and an object schema [TOOL-006] [TOOL-001]',
    async ({ connect }) => {
      const client = await connect(workshop());
      const { tools } = (await client.listTools()) as unknown as { tools: Listed[] };
      expect(tools.map(({ name }) => name)).toEqual([
        'cut',
        'echo',
        'count',
        'shelf',
        'nothing',
        'show',
        'lookalike',
        'photograph',
        'fail',
        'crash',
        'lie',
      ]);
      for (const tool of tools)
        expect(tool).toMatchObject({ description: expect.any(String), inputSchema: { type: 'object' } });
    },
  );

  eachRevision('publishes the schema of the input class, with its defaults [TOOL-006]', async ({ connect }) => {
    const client = await connect(workshop());
    const { tools } = (await client.listTools()) as unknown as { tools: Listed[] };
    expect(tools[0]?.['inputSchema']).toEqual({
      type: 'object',
      properties: {
        wood: { type: 'string', enum: ['oak', 'pine'], description: 'What to cut' },
        pieces: { type: 'integer', minimum: 1, maximum: 100, default: 2 },
      },
      required: ['wood'],
      additionalProperties: false,
    });
  });

  eachRevision('publishes the empty form for a tool without parameters [TOOL-007]', async ({ connect }) => {
    const client = await connect(workshop());
    const { tools } = (await client.listTools()) as unknown as { tools: Listed[] };
    expect(tools.find(({ name }) => name === 'count')?.['inputSchema']).toEqual({
      type: 'object',
      additionalProperties: false,
    });
  });

  eachRevision(
    'lists an object-rooted output schema where the revision has output schemas [TOOL-008]',
    async ({ connect, revision }) => {
      const client = await connect(workshop());
      const { tools } = (await client.listTools()) as unknown as { tools: Listed[] };
      const schema = tools[0]?.['outputSchema'];
      if (revision < OBJECTS_SINCE) expect(schema).toBeUndefined();
      else expect(schema).toMatchObject({ type: 'object', required: ['wood', 'lengths'] });
    },
  );

  eachRevision('writes title, hints and metadata only where the revision has them', async ({ connect, revision }) => {
    const client = await connect(workshop());
    const { tools } = (await client.listTools()) as unknown as { tools: Listed[] };
    const [cut] = tools;
    expect(cut?.['title']).toBe(revision >= OBJECTS_SINCE ? 'Saw' : undefined);
    const hints = { title: 'Saw', readOnlyHint: false, destructiveHint: true };
    expect(cut?.['annotations']).toEqual(revision === '2024-11-05' ? undefined : hints);
    const show = tools.find(({ name }) => name === 'show');
    expect(show?.['_meta']).toEqual(revision >= OBJECTS_SINCE ? { 'workshop.example/kind': 'show' } : undefined);
  });

  eachRevision('keeps the order while the set is unchanged [TOOL-004] [TOOL-003]', async ({ connect }) => {
    const server = workshop();
    const [one, other] = [await connect(server), await connect(server)];
    const first = await one.listTools();
    await one.callTool('cut', { wood: 'oak' });
    expect(await one.listTools()).toEqual(first);
    expect(await other.listTools()).toEqual(first);
  });
});

describe('tools/call', () => {
  eachRevision(
    'gives the handler a validated instance with its defaults, and strips what the output class does not declare [TOOL-010] [TOOL-012] [TOOL-025]',
    async ({ connect, revision }) => {
      const client = await connect(workshop());
      const result = await client.callTool('cut', { wood: 'oak' });
      expect(result).toMatchObject({
        isError: false,
        content: [{ type: 'text', text: '{"wood":"oak","lengths":[2,1.5]}' }],
      });
      if (revision < OBJECTS_SINCE) expect(result).not.toHaveProperty('structuredContent');
      else expect(result['structuredContent']).toEqual({ wood: 'oak', lengths: [2, 1.5] });
    },
  );

  eachRevision('always has a content array, if need be an empty one [TOOL-014]', async ({ connect }) => {
    const client = await connect(workshop());
    expect(await client.callTool('nothing')).toMatchObject({ content: [], isError: false });
    expect(await client.callTool('count')).toMatchObject({ content: [{ type: 'text', text: '7' }] });
    expect(await client.callTool('echo', { name: 'ha', copies: 2 })).toMatchObject({
      content: [{ type: 'text', text: 'haha' }],
    });
  });

  eachRevision(
    'wraps data that is no object where the revision wants one [TOOL-011] [TOOL-013]',
    async ({ connect, revision }) => {
      const client = await connect(workshop());
      const result = await client.callTool('shelf');
      expect(result['content']).toMatchObject([{ type: 'text', text: '["saw","plane"]' }]);
      if (revision < OBJECTS_SINCE) expect(result).not.toHaveProperty('structuredContent');
      else if (revision < NEWEST) expect(result['structuredContent']).toEqual({ result: ['saw', 'plane'] });
      else expect(result['structuredContent']).toEqual(['saw', 'plane']);
    },
  );

  eachRevision(
    'writes every kind of content that the revision has, and a note for the others [TOOL-015] [TOOL-016] [TOOL-017]',
    async ({ connect, revision }) => {
      const client = await connect(workshop());
      const { content } = (await client.callTool('show')) as unknown as { content: { type: string }[] };
      const kinds = [
        'text',
        'image',
        revision === '2024-11-05' ? 'text' : 'audio',
        revision < OBJECTS_SINCE ? 'text' : 'resource_link',
        'resource',
        'resource',
      ];
      expect(content.map(({ type }) => type)).toEqual(kinds);
      expect(content[1]).toMatchObject({ data: PNG.toString('base64'), mimeType: 'image/png' });
      if (revision !== '2024-11-05')
        expect(content[2]).toMatchObject({ data: WAV.toString('base64'), mimeType: 'audio/wav' });
      expect(content[5]).toMatchObject({ resource: { blob: PNG.toString('base64') } });
    },
  );

  eachRevision('takes a plain object that looks like content for data', async ({ connect }) => {
    const client = await connect(workshop());
    const { content } = (await client.callTool('lookalike')) as unknown as { content: unknown[] };
    expect(content).toMatchObject([{ type: 'text', text: '{"type":"text","text":"I am data"}' }]);
  });

  eachRevision('writes bytes as what the tool declares them to be [TOOL-017]', async ({ connect }) => {
    const client = await connect(workshop());
    expect(await client.callTool('photograph')).toMatchObject({
      content: [{ type: 'image', mimeType: 'image/png', data: PNG.toString('base64') }],
    });
  });

  eachRevision('answers an unknown tool with a protocol error [TOOL-018]', async ({ connect }) => {
    const client = await connect(workshop());
    await expect(client.callTool('saw')).rejects.toMatchObject({ code: -32602, message: 'Unknown tool: saw' });
  });

  eachRevision(
    'reports invalid arguments in the form of the revision [TOOL-020] [TOOL-021] [TOOL-025]',
    async ({ connect, revision }) => {
      const client = await connect(workshop());
      const answer = client.callTool('cut', { wood: 'glass', pieces: 0, colour: 'red' });
      if (revision < '2025-11-25') await expect(answer).rejects.toMatchObject({ code: -32602 });
      else expect(await answer).toMatchObject({ isError: true });
      const [message] = [await answer.catch((error: Error) => error.message)].map((value) => JSON.stringify(value));
      for (const name of ['wood', 'pieces', 'colour']) expect(message).toContain(name);
    },
  );

  eachRevision('refuses arguments for a tool that takes none', async ({ connect, revision }) => {
    const client = await connect(workshop());
    const answer = client.callTool('count', { extra: 1 });
    if (revision < '2025-11-25') await expect(answer).rejects.toMatchObject({ code: -32602 });
    else expect(await answer).toMatchObject({ isError: true });
  });

  eachRevision(
    'answers a request without a name, or with malformed arguments, with a protocol error [TOOL-022]',
    async ({ connect }) => {
      const client = await connect(workshop());
      await expect(client.request('tools/call', {})).rejects.toMatchObject({ code: -32602 });
      await expect(client.request('tools/call', { name: 5 })).rejects.toMatchObject({ code: -32602 });
      await expect(client.request('tools/call', { name: 'count', arguments: [] })).rejects.toMatchObject({
        code: -32602,
      });
    },
  );

  eachRevision('shows a ToolFailure to the model, word for word [TOOL-019]', async ({ connect }) => {
    const client = await connect(workshop());
    expect(await client.callTool('fail')).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'The saw is blunt. Sharpen it first.' }],
    });
  });

  eachRevision(
    'masks any other error, and logs it under the id that the client gets [TOOL-019]',
    async ({ connect }) => {
      const lines: object[] = [];
      const logger = { debug() {}, info() {}, warn() {}, error: (fields: object) => void lines.push(fields) };
      const client = await connect(workshop({ logger }));
      const result = await client.callTool('crash');
      expect(result).toMatchObject({ isError: true });
      expect(JSON.stringify(result)).not.toContain('hunter2');
      const [entry] = lines as [{ errorId: string; err: Error }];
      expect(JSON.stringify(result)).toContain(entry.errorId);
      expect(entry.err.message).toContain('hunter2');
    },
  );

  eachRevision('never sends output that does not fit the declared class [TOOL-010]', async ({ connect }) => {
    const lines: { err: Error }[] = [];
    const logger = {
      debug() {},
      info() {},
      warn() {},
      error: (fields: object) => void lines.push(fields as { err: Error }),
    };
    const client = await connect(workshop({ logger }));
    const result = await client.callTool('lie');
    expect(result).toMatchObject({ isError: true });
    expect(result).not.toHaveProperty('structuredContent');
    expect(lines[0]?.err.message).toMatch(/Workshop\.lie returned a value that does not match.*wood.*lengths/s);
  });
});
