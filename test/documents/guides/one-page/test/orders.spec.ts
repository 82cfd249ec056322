// #region tests
import { connect, eachRevision, matchers } from '@sigil-mcp/testing';
import { server } from '../src/server';
import { Shop } from '../src/shop';

expect.extend(matchers); // not needed with the jest preset of @sigil-mcp/testing

const order = { email: 'ada@example.com', lines: [{ article: 'tea' }] };
const override = [Shop]; // each client gets a Shop of its own

eachRevision('places an order and lists it', async ({ connect }) => {
  const client = await connect(server, { override });
  expect(await client.callTool('placeOrder', order)).toHaveStructured({ id: '1', delivery: 'post' });
  expect(await client.readResource('shop://orders/1')).toHaveText(/ada@example\.com/);
  expect(await client.callTool('sendOrder', { id: '7' })).toBeToolError(/There is no order "7"/);
});

eachRevision('refuses an order without lines', async ({ connect }) => {
  const client = await connect(server, { override });
  const refused = client.callTool('placeOrder', { ...order, lines: [] });
  // A result since 2025-11-25, a JSON-RPC error -32602 before.
  await expect(refused).toHaveInvalidArguments(/lines: must have at least 1 item/);
});

it('cancels an order when the user confirms it', async () => {
  const answers = () => ({ action: 'accept', content: { sure: true, reason: 'mistake' } });
  const client = await connect(server, { override, answers, as: { id: 'ada', scopes: ['orders:write'] } });
  await client.callTool('placeOrder', order);
  expect(await client.callTool('cancelOrder', { id: '1' })).toHaveText('Cancelled order 1: mistake.');
  await client.close();
});

it('explains what to do if the client has no forms', async () => {
  // Without `answers`.
  const client = await connect(server, { override, as: { id: 'ada', scopes: ['orders:write'] } });
  await client.callTool('placeOrder', order);
  expect(await client.callTool('cancelOrder', { id: '1' })).toBeToolError(/has no forms/);
  await client.close();
});

it('publishes a report as a task', async () => {
  const client = await connect(server, { override, capabilities: { elicitation: { form: {} } } });
  await client.callTool('placeOrder', order);
  const task = await client.startTask('yearlyReport', { year: 2026 });
  const [question] = await task.questions(); // waits until it asks
  await task.answer(question, { action: 'accept', content: { publish: true } });
  expect(await task.result()).toHaveText('Published 1 orders of 2026.'); // waits for its end
  await client.close();
});
// #endregion tests
