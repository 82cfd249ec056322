/** What a client sends is not sent back to it: an error repeats so much of it that a person sees what is meant. */
import { createServer, Feature, MemoryTransport, Prompt, Resource, Tool } from '@sigil-mcp/core';
import { Type } from 'class-transformer';
import { IsArray, IsIn, IsInt, IsString, ValidateNested } from 'class-validator';

class Item {
  @IsInt() n!: number;
}

class Query {
  @IsString() city!: string;
  @IsIn(['a', 'b']) kind!: string;
  @IsArray() @ValidateNested({ each: true }) @Type(() => Item) items!: Item[];
}

class Letter {
  @IsString() city!: string;
}

const RAW = {
  type: 'object',
  properties: {
    list: { type: 'array', items: { type: 'integer' } },
    word: { enum: ['x'] },
    letter: { type: 'string', pattern: '^a$' },
  },
  additionalProperties: false,
} as const;

@Feature()
class Desk {
  @Tool('Takes a DTO')
  typed(_query: Query): string {
    return '';
  }

  @Tool('Takes a schema', { input: RAW })
  raw(_query: object): string {
    return '';
  }

  @Prompt('Takes a name')
  letter(_letter: Letter): string {
    return '';
  }

  @Resource('desk://{name}')
  drawer(): string {
    throw new Error('never reached');
  }
}

const LONG = 'L'.repeat(500_000);
const MANY = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, 1]));
const call = (name: string, args: unknown) => ['tools/call', { name, arguments: args }] as const;
const items = (value: unknown) => ({ city: 'x', kind: 'a', items: Array<unknown>(20_000).fill(value) });
const version = (value: unknown) => ({ _meta: { 'io.modelcontextprotocol/protocolVersion': value } });

const REQUESTS: Readonly<Record<string, readonly [method: string, params?: object]>> = {
  'a method': [LONG],
  'the name of a tool': call(LONG, {}),
  'many properties': call('typed', MANY),
  'the name of a property': call('typed', { [LONG]: 1 }),
  'many wrong items': call('typed', items({ n: 'x' })),
  'many items of a wrong type': call('typed', items(5)),
  'a wrong value': call('typed', { ...items({ n: 1 }), kind: LONG }),
  'many properties that a schema does not have': call('raw', MANY),
  'the name of a property that a schema does not have': call('raw', { [LONG]: 1 }),
  'many wrong items of a schema': call('raw', { list: Array<unknown>(20_000).fill('x') }),
  'a value that a schema does not list': call('raw', { word: LONG }),
  'a value that does not match': call('raw', { letter: LONG }),
  'a URI': ['resources/read', { uri: `other://${LONG}` }],
  'a URI that is none': ['resources/read', { uri: LONG }],
  'a URI to subscribe to': ['resources/subscribe', { uri: `other://${LONG}` }],
  'the name of a prompt': ['prompts/get', { name: LONG }],
  'many arguments of a prompt': ['prompts/get', { name: 'letter', arguments: MANY }],
  'the name of an argument': ['prompts/get', { name: 'letter', arguments: { [LONG]: 5 } }],
  'a version': ['tools/list', version(LONG)],
  'a version that is no text': ['tools/list', version([LONG])],
  'a level': ['logging/setLevel', { level: LONG }],
  'a cursor': ['tools/list', { cursor: LONG }],
  'the type of a reference': ['completion/complete', { ref: { type: LONG }, argument: { name: 'x', value: '' } }],
  'the name in a reference': [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: LONG }, argument: { name: LONG, value: LONG } },
  ],
  'the URI in a reference': [
    'completion/complete',
    { ref: { type: 'ref/resource', uri: `other://${LONG}` }, argument: { name: LONG, value: LONG } },
  ],
  'another handshake': ['initialize', { protocolVersion: LONG }],
  'a token': ['tools/list', { _meta: { progressToken: { deep: LONG } } }],
};

describe('an error about what is too long to be repeated', () => {
  it.each(Object.entries(REQUESTS))('is short: %s', async (_what, [method, params]) => {
    const server = createServer({ name: 'desk', version: '1.0.0', features: [Desk], logger: false });
    const transport = new MemoryTransport();
    await server.listen(transport);
    const answers: string[] = [];
    const pipe = transport.connect((text) => void answers.push(text));
    const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'long', version: '1' } };
    pipe.send(JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: initialize }));
    pipe.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    while (answers.length < 2) await new Promise((resolve) => setImmediate(resolve));
    expect(JSON.parse(answers[1] ?? '')).toMatchObject({ id: 1 });
    expect(answers[1]).toMatch(/"error"|"isError":true/);
    expect(answers[1]?.length).toBeLessThan(5000);
    await server.close();
  });
});
