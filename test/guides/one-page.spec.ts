/** docs/one-page.md, which assistants read as llms-small.txt: what it shows works, and it is small. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encode } from 'gpt-tokenizer';
import { calculator } from './one-page/functions';
// #region tests
import { connect, eachRevision, matchers } from '@sigil-mcp/testing';
import { server } from './one-page/server';
import { Shop } from './one-page/shop';

expect.extend(matchers); // not needed with the jest preset of @sigil-mcp/testing

const order = { email: 'ada@example.com', lines: [{ article: 'tea' }] };
const override = [Shop]; // each client gets a Shop of its own

eachRevision('places an order and lists it', async ({ connect }) => {
  const client = await connect(server, { override });
  expect(await client.callTool('placeOrder', order)).toHaveStructured({ id: '1', delivery: 'post' });
  expect(await client.readResource('shop://orders/1')).toHaveText(/ada@example\.com/);
  expect(await client.callTool('sendOrder', { id: '7' })).toBeToolError(/There is no order "7"/);
});

it('cancels an order when the user confirms it', async () => {
  const answers = () => ({ action: 'accept', content: { sure: true, reason: 'mistake' } });
  const client = await connect(server, { override, answers, as: { id: 'ada', scopes: ['orders:write'] } });
  await client.callTool('placeOrder', order);
  expect(await client.callTool('cancelOrder', { id: '1' })).toHaveText('Cancelled order 1: mistake.');
  await client.close();
});
// #endregion tests

it('sends an order with progress, and reports, completes and lists what there is', async () => {
  const client = await connect(server, { override });
  await client.callTool('placeOrder', order);
  const steps: unknown[] = [];
  expect(
    await client.callTool('sendOrder', { id: '1' }, { onProgress: ({ message }) => steps.push(message) }),
  ).toHaveText('Sent order 1.');
  expect(steps).toEqual(['Sent tea']);
  await expect(client).toListResource('shop://orders/1');
  expect(await client.getPrompt('report')).toHaveMessages(/short report/);
  expect((await client.complete({ template: 'shop://orders/{id}' }, 'id', '1')).completion.values).toEqual(['1']);
  await client.close();
});

it('adds and removes a tool, and tells subscribers of a resource', async () => {
  // Later revisions notify of lists only where a client asked for it.
  const client = await connect(server, { override, revision: '2025-11-25' });
  await client.callTool('setCounting', { on: true });
  await client.waitForNotification('notifications/tools/list_changed');
  await client.callTool('placeOrder', order);
  expect(await client.callTool('countOrders')).toHaveText('1 orders');
  await client.callTool('setCounting', { on: false });
  await expect(client).not.toListTool('countOrders');
  await client.subscribe('shop://orders/1');
  await client.callTool('sendAll');
  await client.waitForNotification('notifications/resources/updated');
  await client.close();
});

it('calls a tool that is a function', async () => {
  const client = await connect(calculator);
  expect(await client.callTool('add', { a: 1, b: 2 })).toHaveText('3');
  await client.close();
});

describe('llms-small.txt', () => {
  const page = readFileSync(join(__dirname, '..', '..', 'docs', 'one-page.md'), 'utf8');

  it('has at most 12,000 tokens', () => {
    expect(encode(page).length).toBeLessThanOrEqual(12_000);
  });

  it('shows whole files, none of which is left out', () => {
    const files = readdirSync(join(__dirname, 'one-page')).map((name) => `test/guides/one-page/${name}#`);
    expect(files.filter((file) => !page.includes(`<!-- snippet: ${file}`) && !file.includes('main'))).toEqual([]);
  });
});
