/** Budgets that cannot work are definition errors, with what to do about them; and what lists show of the others. */
import { createServer, DefinitionError, tool, type DefinitionProblem, type FeatureSource } from '@sigil-mcp/core';
import { resultBudgets, type ResultBudgetsOptions } from '@sigil-mcp/results';
import { connect } from '@sigil-mcp/testing';
import { archive } from './archive/archive';

function problemsOf(features: readonly FeatureSource[], options?: unknown): readonly DefinitionProblem[] {
  try {
    createServer({
      name: 'wrong',
      version: '1.0.0',
      logger: false,
      features,
      extensions: [resultBudgets(options as ResultBudgetsOptions)],
    });
    return [];
  } catch (error) {
    if (error instanceof DefinitionError) return error.problems;
    throw error;
  }
}

const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });
const ITEMS = { items: { type: 'array', items: { type: 'string' } } };

function listing(output: object | undefined, budget: unknown = 1000, input: object = object({})): FeatureSource {
  const options = { description: 'Lists', input, budget, ...(output && { output }) };
  return tool('list', options as never, () => ({}) as never);
}

describe('a budget', () => {
  it.each([
    ['is not a number', listing(undefined, 'much'), 'SIGIL_BUDGET'],
    ['is too small', listing(undefined, 999), 'SIGIL_BUDGET'],
    ['has no characters', listing(undefined, { list: 'items' }), 'SIGIL_BUDGET'],
    ['has an unknown member', listing(undefined, { characters: 1000, tokens: 5 }), 'SIGIL_BUDGET'],
    ['has a lifetime of nothing', listing(undefined, { characters: 1000, ttl: 0 }), 'SIGIL_BUDGET'],
    ['has an output that is a list', listing({ type: 'array', items: {} }), 'SIGIL_BUDGET_SCHEMA'],
    ['has an output without a list', listing(object({ name: { type: 'string' } })), 'SIGIL_BUDGET_SCHEMA'],
    ['has an output of alternatives', listing(object(ITEMS, { anyOf: [{}, {}] })), 'SIGIL_BUDGET_SCHEMA'],
    ['names a list, but has no output', listing(undefined, { characters: 1000, list: 'a' }), 'SIGIL_BUDGET_SCHEMA'],
    ['names no list', listing(object(ITEMS), { characters: 1000, list: 'pages' }), 'SIGIL_BUDGET_LIST'],
    ['has two lists', listing(object({ ...ITEMS, others: { type: 'array' } })), 'SIGIL_BUDGET_LIST'],
    ['has an output with a total', listing(object({ ...ITEMS, total: { type: 'integer' } })), 'SIGIL_BUDGET_MEMBER'],
    ['has a cursor of its own', listing(object(ITEMS), 1000, object({ cursor: {} })), 'SIGIL_BUDGET_MEMBER'],
  ])('that %s is refused', (_, feature, code) => {
    const problems = problemsOf([feature]);
    expect(problems.map((each) => each.code)).toEqual([code]);
    expect(problems[0]).toMatchObject({
      where: expect.stringContaining('list') as string,
      fix: expect.any(String) as string,
    });
  });

  it.each([
    ['null', null, 'SIGIL_OPTION_KIND'],
    ['a store without methods', { store: {} }, 'SIGIL_OPTION_KIND'],
    ['a lifetime of text', { ttl: 'long' }, 'SIGIL_OPTION_KIND'],
    ['an unknown option', { size: 1 }, 'SIGIL_OPTION_UNKNOWN'],
    ['a text as public', { public: 'yes' }, 'SIGIL_OPTION_KIND'],
  ])('with %s as the options of the extension is refused', (_, options, code) => {
    expect(problemsOf([], options).map((each) => each.code)).toEqual([code]);
  });

  it('needs the extension', () => {
    const without = (): unknown =>
      createServer({ name: 'x', version: '1.0.0', logger: false, features: [listing(object(ITEMS))] });
    expect(without).toThrow(DefinitionError);
  });

  it('may name one of several lists, by a reference, too', () => {
    const output = object(
      { ...ITEMS, others: { $ref: '#/$defs/Others' } },
      { $defs: { Others: { type: ['array', 'null'], items: {} } } },
    );
    expect(problemsOf([listing(output, { characters: 1000, list: 'others' })])).toEqual([]);
  });
});

describe('a tool with a budget', () => {
  it('shows a cursor, and what a cut result says of itself [TOOL-001]', async () => {
    const server = archive();
    const client = await connect(server);
    const { tools } = await client.listTools();
    const list = tools.find(({ name }) => name === 'list');
    expect(list).toMatchObject({
      inputSchema: { properties: { count: { type: 'integer' }, cursor: { type: 'string' } }, required: ['count'] },
      outputSchema: {
        properties: { nextCursor: { type: 'string' }, total: { type: 'integer' }, hint: { type: 'string' } },
        required: ['shelf', 'books'],
      },
      _meta: { 'anthropic/maxResultSizeChars': 2000 },
    });
    expect(tools.find(({ name }) => name === 'plain')).not.toHaveProperty('_meta');
    expect(server.describe().entries.find(({ key }) => key === 'list')).toMatchObject({
      wire: { '2026-07-28': { inputSchema: { properties: { cursor: { type: 'string' } } } } },
      options: { budget: { characters: 2000 } },
    });
    await client.close();
    await server.close();
  });
});
