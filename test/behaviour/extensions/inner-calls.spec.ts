/** Calls that a stage of an extension runs: each with its own questions and its own `once`, and hidden entries. */
import { createServer, tool, type Extension, type McpContext, type Server } from '@sigil-mcp/core';
import { WITHOUT_TOKEN } from '@sigil-mcp/core/adapter';
import { connect } from '@sigil-mcp/testing';
import { eachRevision } from '../../support/each-revision';
import { z } from 'zod';

const Sure = z.object({ ok: z.boolean() });

/** Runs `order` twice for each call of `both`. */
const TWICE: Extension = {
  name: 'com.example/twice',
  list: () => ({ isHidden: ({ key }) => key === 'order' }),
  stage: ({ key }) =>
    key === 'both'
      ? {
          isForEveryone: true,
          async run(call) {
            const run = (item: string) =>
              call.run('tools/call', { name: 'order', arguments: { item } }, { scope: item });
            const results = [await run('tea'), await run('milk')];
            return { content: results.flatMap(({ content }) => content), isError: false };
          },
        }
      : undefined,
};

eachRevision(
  'keeps the keys of two inner calls apart',
  async ({ connect: open }) => {
    const orders: string[] = [];
    const ids = new Set<string>();
    const order = tool(
      'order',
      { description: 'Orders something', input: z.object({ item: z.string() }) },
      async ({ item }, context: McpContext) => {
        const { action } = await context.elicit(Sure, `Order ${item}?`, { key: 'sure' });
        ids.add(context.onceId('order'));
        return context.once('order', () => {
          orders.push(item);
          return `${item}: ${action}`;
        });
      },
    );
    const both = tool('both', { description: 'Orders twice' }, () => 'unused');
    const server = createServer({
      name: 'shop',
      version: '1.0.0',
      logger: false,
      features: [order, both],
      extensions: [TWICE],
    });
    const client = await open(server, {
      capabilities: { elicitation: { form: {} } },
      answers: () => ({ action: 'accept', content: { ok: true } }),
    });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['both']);
    expect(await client.callTool('both')).toMatchObject({
      content: [{ text: 'tea: accept' }, { text: 'milk: accept' }],
    });
    expect(orders).toEqual(['tea', 'milk']);
    expect(ids.size).toBe(2);
    await server.close();
  },
  { since: '2025-06-18' },
);

it('can still call what lists leave out', async () => {
  const order = tool('order', { description: 'Orders something' }, () => 'Ordered.');
  const server = createServer({
    name: 'shop',
    version: '1.0.0',
    features: [order],
    extensions: [TWICE],
    logger: false,
  });
  const client = await connect(server);
  expect((await client.listTools()).tools).toEqual([]);
  expect(await client.callTool('order')).toMatchObject({ content: [{ text: 'Ordered.' }] });
  expect(server.describe().entries).toMatchObject([{ key: 'order', isUnlisted: true }]);
  await server.close();
});

it('have the rights of the caller, and no others', async () => {
  const input = z.object({ item: z.string() });
  const description = 'Orders something';
  const both = tool('both', { description, public: true }, () => 'unused');
  const serverWith = (rights: object): Server =>
    createServer({
      name: 'shop',
      version: '1.0.0',
      features: [tool('order', { description, input, ...rights }, () => 'Ordered.'), both],
      extensions: [TWICE],
      logger: false,
    });
  const bought = { content: [{ text: 'Ordered.' }, { text: 'Ordered.' }] };
  const scoped = serverWith({ scopes: ['orders'] });
  const buyer = await connect(scoped, { as: { id: 'ada', scopes: ['orders'] } });
  expect(await buyer.callTool('both')).toMatchObject(bought);
  const guest = await connect(scoped, { as: { id: 'bob', scopes: [] } });
  await expect(guest.callTool('both')).rejects.toThrow(/orders/);
  await scoped.close();
  for (const isPublic of [true, false]) {
    const server = serverWith({ public: isPublic });
    // As HTTP has it for a request without a token.
    const stranger = await connect(server, { as: WITHOUT_TOKEN });
    const called = stranger.callTool('both');
    if (isPublic) expect(await called).toMatchObject(bought);
    else await expect(called).rejects.toThrow(/token/i);
    await server.close();
  }
});
