/** A REST project with TypeORM and thirty classes of bodies and queries: features on its services reuse all of them. */
import { ClassSerializerInterceptor, ValidationPipe } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { connect, type TestClient } from '@sigil-mcp/testing';
import '@sigil-mcp/testing/matchers';
import { openApplication } from './support/open-application';
import { ShopModule } from './shop/shop.module';
import { eachRevision } from '../../../test/support/each-revision';

/** The application as such projects start it. */
const openShop = (): ReturnType<typeof openApplication> =>
  openApplication('express', { imports: [ShopModule] }, {}, (app) => {
    app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true, forbidNonWhitelisted: true }));
    app.useGlobalInterceptors(new ClassSerializerInterceptor(app.get(Reflector)));
    app.setGlobalPrefix('api', { exclude: ['mcp'] });
  });

const ADA = { email: 'Ada@Example.com', name: 'Ada', password: 'secret-1' };

/** The data of a result, on every revision. */
async function dataOf(client: TestClient, tool: string, args: Parameters<TestClient['callTool']>[1]): Promise<object> {
  const { content, isError } = await client.callTool(tool, args);
  const [first] = content;
  const text = first && 'text' in first ? first.text : '';
  expect([isError ?? false, text]).toEqual([false, expect.stringMatching(/^\{/)]);
  return JSON.parse(String(text)) as object;
}

/** What a caller is told of arguments or of a state that do not fit, on every revision. */
async function refusalOf(
  client: TestClient,
  tool: string,
  args: Parameters<TestClient['callTool']>[1],
): Promise<string> {
  const answer = await client.callTool(tool, args).catch((error: unknown) => error);
  return answer instanceof Error ? answer.message : JSON.stringify(answer);
}

eachRevision('sells products with the classes of the REST API', async ({ connect: meet }) => {
  const { url } = await openShop();
  const client = await meet(url);
  expect(await dataOf(client, 'addCustomer', ADA)).toEqual({ id: 1, email: 'ada@example.com', name: 'Ada' });
  expect(await refusalOf(client, 'addCustomer', ADA)).toContain('The email is taken.');
  expect(await refusalOf(client, 'addCustomer', { ...ADA, email: 'x', password: 'y' })).toMatch(
    /email: must be an email.*password: must have at least 8 characters/,
  );
  expect(await dataOf(client, 'changeCustomer', { id: 1, name: 'Ada L.', phone: null })).toMatchObject({
    name: 'Ada L.',
  });
  expect(await refusalOf(client, 'changeCustomer', { id: 9, name: 'x' })).toContain('There is no customer 9.');
  expect(await dataOf(client, 'login', { email: 'ada@example.com', password: 'secret-1' })).toEqual({
    token: 't1',
    expiresIn: 3600,
  });
  expect(await refusalOf(client, 'login', { email: 'ada@example.com', password: 'secret-2' })).toContain(
    'The password is wrong.',
  );
  expect(await dataOf(client, 'addCategory', { name: 'Bread' })).toEqual({ id: 1, name: 'Bread' });
  await dataOf(client, 'addProduct', {
    title: 'Rye bread',
    price: 3.5,
    stock: 5,
    tags: ['dark'],
    categories: [{ id: 1 }],
  });
  await dataOf(client, 'addProduct', { title: 'White bread', price: 2 });
  expect(await client.callTool('listProducts', { search: 'bread', order: 'desc' })).toHaveText(
    'Rye bread, White bread',
  );
  expect(await client.callTool('listProducts', { inStock: true, limit: 1 })).toHaveText('Rye bread');
  expect(await client.callTool('changeStock', { id: 1, by: -2 })).toHaveText('3');
  expect(await refusalOf(client, 'changeStock', { id: 1, by: -9 })).toContain('Only 3 are left.');
  expect(await refusalOf(client, 'changeProduct', { id: 1, price: 1.234 })).toContain('price');
  const address = { street: 'Main 1', city: 'Nitra', country: 'SK' };
  const lines = [
    { productId: 1, count: 2 },
    { productId: 2, count: 1 },
  ];
  expect(await dataOf(client, 'order', { customerId: 1, address, lines })).toMatchObject({
    customer: 'Ada L.',
    total: 9,
  });
  expect(
    await refusalOf(client, 'order', { customerId: 1, address: { ...address, country: 'Slovakia' }, lines: [] }),
  ).toMatch(/address\.country.*lines/);
  expect(await dataOf(client, 'changeOrder', { id: 1, status: 'paid' })).toMatchObject({ status: 'paid' });
  expect(await dataOf(client, 'listOrders', { status: 'paid', from: '2020-01-01' })).toMatchObject({
    total: 1,
    items: [{ id: 1 }],
  });
  expect(await dataOf(client, 'revenue', { to: '2999-01-01T00:00:00Z' })).toEqual({ revenue: 9, orders: 1 });
  expect(await client.callTool('listCustomers', { search: 'ada' })).toHaveText('Ada L.');
  expect(await client.callTool('checkPassword', { password: 'secret-9', oldPassword: 'x' })).toHaveText('new');
  expect(JSON.stringify((await client.readResource('shop://products/1')).contents)).toContain('Rye bread');
  expect(JSON.stringify((await client.getPrompt('letter', { id: '1' })).messages)).toContain(
    'Write a letter to Ada L.',
  );
  await expect(client.readResource('shop://products/99')).rejects.toMatchObject({ message: 'There is no product 99.' });
});

it('lists schemas that say what the classes say, and serves its routes with the same classes', async () => {
  const { url, base } = await openShop();
  const client = await connect(url);
  const { tools } = await client.listTools();
  const schemaOf = (name: string): object =>
    (tools.find((tool) => tool.name === name) ?? { inputSchema: {} }).inputSchema;
  expect(schemaOf('addCustomer')).toMatchObject({
    properties: {
      email: {
        type: 'string',
        description: expect.stringContaining('an e-mail address') as string,
        examples: ['ada@example.com'],
      },
      password: { minLength: 8 },
    },
    required: ['email', 'name', 'password'],
  });
  expect(schemaOf('changeCustomer')).toMatchObject({ required: ['id'] });
  expect(schemaOf('changeCustomer')).not.toHaveProperty('properties.password');
  expect(schemaOf('order')).toMatchObject({
    properties: {
      lines: { type: 'array', minItems: 1, items: { properties: { count: { minimum: 1, maximum: 99 } } } },
    },
  });
  expect(schemaOf('changeOrder')).toMatchObject({
    properties: { status: { enum: ['open', 'paid', 'sent', 'cancelled'] } },
  });
  const created = await fetch(`${base}/api/products`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Rolls', price: 1 }),
  });
  expect(created.status).toBe(201);
  expect((await fetch(`${base}/api/products`, { method: 'POST' })).status).toBe(400);
  expect(await client.callTool('listProducts', {})).toHaveText('Rolls');
  await client.close();
});
