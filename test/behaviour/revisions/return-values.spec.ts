/** What handlers return, on every revision: content, data of every kind, and what is neither. */
import {
  Feature,
  Prompt,
  Resource,
  Tool,
  audio,
  contents,
  createServer,
  embedded,
  image,
  resourceLink,
  text,
  toolResult,
} from '@sigil-mcp/core';
import { IsInt } from 'class-validator';
import { eachRevision } from './checked';
import { PNG } from './workshop';

const OBJECTS_SINCE = '2025-06-18';

/** What the tools and the resource return; a test puts it here. */
let returned: () => unknown;

class Count {
  @IsInt() count!: number;
}

@Feature()
class Returns {
  @Tool('Returns it') give(): unknown {
    return returned();
  }

  @Tool('Returns it, later') async giveLater(): Promise<unknown> {
    return Promise.resolve(toolResult({ structured: returned() }));
  }

  @Tool('Counts', { output: Count }) count(): Promise<Count> {
    return Promise.resolve(returned() as Count);
  }

  @Prompt('Speaks') speak(): string {
    return returned() as string;
  }

  @Resource('returns://it') read(): unknown {
    return returned();
  }

  @Resource('returns://pieces') pieces(): unknown {
    return contents({ data: 'fine' }, { data: returned() });
  }
}

const picture = { type: 'image', data: PNG.toString('base64'), mimeType: 'image/png' };

/** A server, and the messages of what it logged as an error. */
function serverOf() {
  const logged: string[] = [];
  const error = ({ err }: { err: Error }): void => void logged.push(`${err.name}: ${err.message}`);
  const logger = { debug() {}, info() {}, warn() {}, error: error as (fields: object) => void };
  return { logged, server: createServer({ name: 'returns', version: '1.0.0', features: [Returns], logger }) };
}

eachRevision('an array of text and content blocks is content', async ({ connect }) => {
  const client = await connect(serverOf().server);
  returned = () => ['Here:', image(PNG, 'image/png'), text('That was it.')];
  const result = await client.callTool('give');
  expect(result['content']).toEqual([
    { type: 'text', text: 'Here:' },
    { type: 'image', data: PNG.toString('base64'), mimeType: 'image/png' },
    { type: 'text', text: 'That was it.' },
  ]);
  expect(result).not.toHaveProperty('structuredContent');
});

eachRevision('a Map is an object and a Set an array, in data and in its text', async ({ connect, revision }) => {
  const client = await connect(serverOf().server);
  returned = () => new Map([['authors', new Set(['Le Guin', 'Lem'])]]);
  const json = '{"authors":["Le Guin","Lem"]}';
  for (const tool of ['give', 'giveLater']) {
    const result = await client.callTool(tool);
    expect(result['content']).toEqual([{ type: 'text', text: json }]);
    if (revision >= OBJECTS_SINCE) expect(result['structuredContent']).toEqual(JSON.parse(json));
  }
  expect(await client.readResource('returns://it')).toMatchObject({ contents: [{ text: json }] });
});

eachRevision('what JSON cannot say is an error that names its place, for the log alone', async ({ connect }) => {
  const { server, logged } = serverOf();
  const client = await connect(server);
  const total = NaN;
  returned = () => ({ rows: [1, 2, 3, { total }], 'odd name': 1 });
  for (const tool of ['give', 'giveLater']) {
    const result = await client.callTool(tool);
    expect(result).toMatchObject({ isError: true });
    expect(JSON.stringify(result)).not.toContain('total');
  }
  await expect(client.readResource('returns://it')).rejects.toMatchObject({ code: -32603 });
  await expect(client.readResource('returns://pieces')).rejects.toMatchObject({ code: -32603 });
  const places = ['Returns.give', 'Returns.giveLater', 'Returns.read', 'Returns.pieces'];
  expect(logged).toEqual(
    places.map((where) =>
      expect.stringContaining(
        `InvalidOutput: ${where} returned a value that cannot be written as JSON: result.rows[3].total is NaN. Return strings`,
      ),
    ),
  );
  returned = () => ({ 'odd name': Symbol('x') });
  await client.callTool('give');
  expect(logged.at(-1)).toContain('result["odd name"] is a symbol');
});

eachRevision('a number that JSON has not is an error where it is the whole result, too', async ({ connect }) => {
  const { server, logged } = serverOf();
  const client = await connect(server);
  for (const value of [NaN, Infinity, -Infinity]) {
    returned = () => value;
    expect(await client.callTool('give')).toMatchObject({ isError: true });
  }
  const what = ['result is NaN', 'result is Infinity', 'result is -Infinity'];
  expect(logged).toEqual(what.map((words) => expect.stringContaining(words)));
  returned = () => 10n ** 30n;
  expect(await client.callTool('give')).toMatchObject({ content: [{ text: `1${'0'.repeat(30)}` }] });
});

eachRevision('a generator, a function or an async iterable by itself is one, too', async ({ connect }) => {
  const { server, logged } = serverOf();
  const client = await connect(server);
  const values = [
    (function* () {
      yield 1;
    })(),
    () => 1,
    process.stdin,
  ];
  for (const value of values) {
    returned = () => value;
    expect(await client.callTool('give')).toMatchObject({ isError: true });
  }
  const what = ['result is an iterable', 'result is a function', 'result is an async iterable'];
  expect(logged).toEqual(what.map((words) => expect.stringContaining(words)));
});

eachRevision('bytes among data never travel one by one', async ({ connect }) => {
  const { server, logged } = serverOf();
  const client = await connect(server);
  const values = [[PNG, PNG], { deep: { in: [new Float32Array(2)] } }, PNG.buffer, [text('With a picture:'), PNG]];
  for (const value of values) {
    returned = () => value;
    expect(await client.callTool('give')).toMatchObject({ isError: true });
  }
  const places = ['result[0]', 'result.deep.in[0]', 'result', 'result[1]'];
  expect(logged).toEqual(places.map((place) => expect.stringContaining(`: ${place} is bytes. Return a Buffer by`)));
});

eachRevision('what a condition left out of a list of content is not there', async ({ connect }) => {
  const client = await connect(serverOf().server);
  const lists = [
    [image(PNG, 'image/png'), undefined, null, false, 'Here.'],
    new Set([image(PNG, 'image/png'), 'Here.']),
    toolResult({ content: [false, image(PNG, 'image/png'), undefined, 'Here.'] as never }),
    [picture, undefined, text('Here.')],
  ];
  for (const list of lists) {
    returned = () => list;
    const result = await client.callTool('give');
    expect(result['content']).toEqual([picture, { type: 'text', text: 'Here.' }]);
    expect(result).not.toHaveProperty('structuredContent');
  }
});

eachRevision('content and data in one list are an error that names the place', async ({ connect }) => {
  const { server, logged } = serverOf();
  const client = await connect(server);
  const lists: [unknown, string][] = [
    [[text('a'), { x: 1 }], 'result[1] is an object'],
    [[text('a'), 3], 'result[1] is 3'],
    [[text('a'), true], 'result[1] is true'],
    [[text('a'), [text('b')]], 'result[1] is an array'],
    [new Set([undefined, text('a'), new Map()]), 'result[2] is an object of Map'],
    [toolResult({ content: [{ text: 'a' }] as never }), 'result.content[0] is an object'],
  ];
  for (const [list] of lists) {
    returned = () => list;
    expect(await client.callTool('give')).toMatchObject({ isError: true });
  }
  expect(logged).toEqual(lists.map(([, words]) => expect.stringContaining(`content and data in one list: ${words}.`)));
  expect(logged[0]).toContain('InvalidOutput: Returns.give returned');
});

eachRevision('a result as the protocol writes it is that result', async ({ connect, revision }) => {
  const { server, logged } = serverOf();
  const client = await connect(server);
  returned = () => ({ content: [{ type: 'text', text: 'boo' }], isError: true });
  const failed = await client.callTool('give');
  expect(failed).toMatchObject({ content: [{ type: 'text', text: 'boo' }], isError: true });
  expect(failed).not.toHaveProperty('structuredContent');
  returned = () => ({ content: [], structuredContent: { a: 1 }, _meta: { 'x.y/z': 2 } });
  const both = await client.callTool('give');
  expect(both).toMatchObject({ content: [], _meta: { 'x.y/z': 2 } });
  if (revision >= OBJECTS_SINCE) expect(both['structuredContent']).toEqual({ a: 1 });
  returned = () => ({ content: [{ type: 'txt' }], isError: true });
  expect(JSON.stringify(await client.callTool('give'))).not.toContain('txt');
  expect(logged).toEqual([expect.stringContaining('result.content[0] is an object')]);
});

eachRevision('content without the data that is declared is an error [TOOL-010]', async ({ connect, revision }) => {
  const { server, logged } = serverOf();
  const client = await connect(server);
  returned = () => toolResult({ content: 'Counted.' });
  const result = await client.callTool('count');
  expect(result).toMatchObject({ isError: true });
  expect(result['content']).not.toEqual([{ type: 'text', text: 'Counted.' }]);
  expect(logged).toEqual([expect.stringContaining('there is content without data')]);
  returned = () => toolResult({ content: 'None.', isError: true });
  expect(await client.callTool('count')).toMatchObject({ content: [{ text: 'None.' }], isError: true });
  returned = () => toolResult({ content: 'Counted.', structured: { count: 2 } });
  const both = await client.callTool('count');
  expect(both).toMatchObject({ content: [{ text: 'Counted.' }] });
  if (revision >= OBJECTS_SINCE) expect(both['structuredContent']).toEqual({ count: 2 });
});

eachRevision('what is made for entries of another kind is an error', async ({ connect }) => {
  const { server, logged } = serverOf();
  const client = await connect(server);
  returned = () => contents({ data: 'a' });
  expect(await client.callTool('give')).toMatchObject({ isError: true });
  returned = () => toolResult({ content: 'a' });
  await expect(client.readResource('returns://it')).rejects.toMatchObject({ code: -32603 });
  expect(logged).toEqual([
    expect.stringContaining('Returns.give returned the result of contents(), which is for resources'),
    expect.stringContaining('Returns.read returned the result of toolResult(), which is for tools'),
  ]);
});

eachRevision('a message whose content is no block is an error', async ({ connect }) => {
  const { server, logged } = serverOf();
  const client = await connect(server);
  const contents = [Buffer.from('a'), { type: 'bogus' }, { a: 1 }, [text('a')]];
  for (const content of contents) {
    returned = () => ({ role: 'user', content });
    await expect(client.getPrompt('speak')).rejects.toMatchObject({ code: -32603 });
  }
  expect(logged).toEqual(
    contents.map(() => expect.stringContaining('Returns.speak returned something that is not a prompt message')),
  );
  returned = () => [
    { role: 'user', content: { type: 'text', text: 'a' } },
    { role: 'assistant', content: 'b' },
  ];
  expect(await client.getPrompt('speak')).toMatchObject({
    messages: [{ content: { type: 'text', text: 'a' } }, { content: { type: 'text', text: 'b' } }],
  });
});

eachRevision('data that only resembles a result is data', async ({ connect }) => {
  const client = await connect(serverOf().server);
  const values = [
    { content: [{ type: 'text', text: 'a' }], title: 'A page' },
    { content: [] },
    { content: [{ type: 'chapter' }] },
    { content: ['a', 'b'] },
    { content: 'a', isError: true },
    { type: 'text', text: 'a' },
    { contents: [{ uri: 'a://b', text: 'b' }] },
  ];
  for (const value of values) {
    returned = () => value;
    expect(await client.callTool('give')).toMatchObject({ content: [{ text: JSON.stringify(value) }] });
  }
});

eachRevision(
  'the contents of a resource may be blocks, or written as the protocol writes them',
  async ({ connect }) => {
    const { server, logged } = serverOf();
    const client = await connect(server);
    const uri = 'returns://it';
    const blob = PNG.toString('base64');
    const cases: [unknown, object[]][] = [
    [image(PNG, 'image/png'), [{ uri, mimeType: 'image/png', blob }]],
    [contents({ data: audio(PNG, 'audio/wav') }), [{ uri, mimeType: 'audio/wav', blob }]],
    [['Here:', undefined, picture, image(PNG, 'image/png')], [{ uri, mimeType: 'text/plain', text: 'Here:' }, { uri, mimeType: 'image/png', blob }, { uri, mimeType: 'image/png', blob }]],
    [embedded({ uri: 'a://b', text: 'b' }), [{ uri: 'a://b', mimeType: 'text/plain', text: 'b' }]],
    [{ contents: [{ uri: 'a://b', text: 'b' }, { uri, mimeType: 'image/png', blob }] }, [{ uri: 'a://b', mimeType: 'text/plain', text: 'b' }, { uri, mimeType: 'image/png', blob }]],
    [{ contents: ['a'] }, [{ uri, mimeType: 'application/json', text: '{"contents":["a"]}' }]],
  ]; // prettier-ignore
    for (const [value, expected] of cases) {
      returned = () => value;
      expect((await client.readResource(uri)).contents).toEqual(expected);
    }
    for (const value of [[image(PNG, 'image/png'), { x: 1 }], resourceLink({ uri: 'a://b', name: 'b' })]) {
      returned = () => value;
      await expect(client.readResource(uri)).rejects.toMatchObject({ code: -32603 });
    }
    expect(logged).toEqual([
      expect.stringContaining('content and data in one list: result[1] is an object.'),
      expect.stringContaining('returned a resource link as the contents of a resource'),
    ]);
  },
);
