/** Examples of calls: in lists, in descriptions, and each with its own entry. */
import { createServer, Example, Feature, Prompt, Resource, Tool, tool } from '@sigil-mcp/core';
import type { JsonSchema } from '@sigil-mcp/schema';
import { IsString } from 'class-validator';
import { eachRevision } from './checked';

class Query {
  @IsString() title!: string;
}

const emma = { args: { title: 'Emma' }, says: 'Finds a novel.' };
const poems = { args: { title: 'Poems' }, says: 'Finds poems.' };

@Feature()
class Shelf {
  @Tool('Finds a book') @Example(emma) @Example(poems) find({ title }: Query): string {
    return title;
  }
  @Tool('Lends a book') lend({ title }: Query): string {
    return title;
  }
  @Prompt('Recommends a book') @Example(poems) recommend({ title }: Query): string {
    return title;
  }
  @Resource('shelf://books/{title}', { description: 'A book' }) @Example(emma) book({ title }: Query): string {
    return title;
  }
}

const raw = tool(
  'raw',
  {
    description: 'Takes anything',
    input: { type: 'object', properties: { n: { type: 'integer' } }, examples: [{ n: 1 }] },
    facts: [Example.with({ args: { n: 2 }, says: 'Two.' })],
  },
  () => 'raw',
);

const shelf = (): ReturnType<typeof createServer> =>
  createServer({ name: 'shelf', version: '1.0.0', logger: false, features: [Shelf, raw] });

eachRevision('are listed with their own tool alone, which is called as ever', async ({ connect: here, revision }) => {
  const client = await here(shelf());
  const { tools } = await client.listTools();
  const schemas = new Map(tools.map(({ name, inputSchema }) => [name, inputSchema as JsonSchema]));
  expect(schemas.get('find')?.['examples']).toEqual([emma.args, poems.args]);
  expect(schemas.get('lend')).not.toHaveProperty('examples');
  expect(schemas.get('raw')?.['examples']).toEqual([{ n: 2 }, { n: 1 }]);
  if (revision >= '2025-06-18')
    expect(tools.find(({ name }) => name === 'find')?._meta).toEqual({ 'dev.sigil/examples': [emma, poems] });
  expect(JSON.stringify(await client.callTool('find', { title: 'Emma' }))).toContain('Emma');
  expect(JSON.stringify(await client.getPrompt('recommend', { title: 'Emma' }))).toContain('Emma');
});

eachRevision('are described, and stay when an entry is changed', async ({ connect: here }) => {
  const server = shelf();
  const client = await here(server);
  server.registry.update('tool', 'find', { description: 'Finds one book' });
  const { tools } = await client.listTools();
  expect(tools[0]).toMatchObject({ description: 'Finds one book', inputSchema: { examples: [emma.args, poems.args] } });
  const described = new Map(server.describe().entries.map((entry) => [entry.key, entry]));
  expect(described.get('find')?.examples).toEqual([emma, poems]);
  expect(described.get('lend')).not.toHaveProperty('examples');
  expect(described.get('recommend')).toMatchObject({ examples: [poems], input: { examples: [poems.args] } });
  expect(described.get('shelf://books/{title}')).toMatchObject({ examples: [emma], input: { examples: [emma.args] } });
});
