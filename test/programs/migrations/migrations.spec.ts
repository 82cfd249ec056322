/** The guides for who comes from elsewhere: the server before and the server after give the same client the same. */
import { connect, matchers, type TestClient } from '@sigil-mcp/testing';
import { compileServer, removeCompiled } from './compile-server';

expect.extend(matchers);
jest.setTimeout(120_000);

async function withServer<T>(
  name: string,
  kind: 'before' | 'after',
  ask: (client: TestClient) => Promise<T>,
): Promise<T> {
  const client = await connect(
    { command: process.execPath, args: [compileServer(`${name}-${kind}.${kind === 'before' ? 'mts' : 'ts'}`)] },
    { revision: '2025-06-18' },
  );
  try {
    return await ask(client);
  } finally {
    await client.close();
  }
}

afterAll(removeCompiled);

/** What a model sees of the tool, and what it gets. */
async function askTool(client: TestClient) {
  const { tools } = await client.listTools();
  const [{ name, description, annotations, inputSchema }] = tools as [(typeof tools)[0]];
  const { readOnlyHint } = annotations as { readOnlyHint?: boolean };
  const { properties, required } = inputSchema as {
    properties: Record<string, { type: string; default?: unknown }>;
    required: unknown;
  };
  const { dish, people } = properties;
  const good = await client.callTool('flourFor', { dish: 'bread', people: 2 });
  const usual = await client.callTool('flourFor', { dish: 'pancakes' });
  const wrong = await client.callTool('flourFor', { dish: 'soup' });
  return {
    listed: { name, description, readOnlyHint, required },
    types: [dish?.type, people?.type, people?.default],
    good: good.structuredContent ?? good.content.map((block) => ('text' in block ? block.text : block.type)),
    usual: JSON.stringify(usual.content),
    isError: wrong.isError,
    explained: JSON.stringify(wrong.content).includes('There is no dish soup.'),
  };
}

const askTemplate = async (client: TestClient): Promise<unknown> => [
  (await client.readResource('recipe://bread')).contents.map((piece) => ('text' in piece ? piece.text : undefined)),
  (await client.complete({ template: 'recipe://{dish}' }, 'dish', 'p')).completion.values,
];

describe.each(['fastmcp', 'mcp-nest', 'official-sdk'])('who comes from %s', (name) => {
  it('keeps what a model sees of a tool, and what it is answered', async () => {
    const [before, after] = [await withServer(name, 'before', askTool), await withServer(name, 'after', askTool)];
    expect(after).toEqual(before);
    expect(after).toMatchObject({ isError: true, explained: true, types: ['string', 'integer', 4] });
  });
});

describe.each(['fastmcp', 'official-sdk'])('who comes from %s', (name) => {
  it('keeps resources and their completions', async () => {
    const after = await withServer(name, 'after', askTemplate);
    expect(after).toEqual(await withServer(name, 'before', askTemplate));
    expect(after).toEqual([['125 g of flour, and patience.'], ['pancakes']]);
  });
});

it('who comes from fastmcp keeps prompts', async () => {
  const ask = async (client: TestClient): Promise<unknown> =>
    (await client.getPrompt('cook', { ingredients: 'eggs' })).messages;
  const after = await withServer('fastmcp', 'after', ask);
  expect(after).toEqual(await withServer('fastmcp', 'before', ask));
  expect(JSON.stringify(after)).toContain('What can I cook with eggs?');
});
