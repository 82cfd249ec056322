/** What `docs/toolsets.md` says and shows. */
import { createServer, Roles, tool } from '@sigil-mcp/core';
import { connect } from '@sigil-mcp/testing';
import { searchToolset } from '@sigil-mcp/toolsets';
import { codeToolset } from '@sigil-mcp/toolsets/code';
import { z } from 'zod';

const cancelInvoice = tool(
  'cancel_invoice',
  { description: 'Cancels an invoice', input: z.object({ number: z.string() }), guards: [Roles('billing')] },
  ({ number }) => `Invoice ${number} is cancelled.`,
);
const listOrders = tool('list_orders', { description: 'Lists the open orders' }, () => 'No orders.');
const logIn = tool('log_in', { description: 'Signs the user in' }, () => 'Signed in.');
const features = [cancelInvoice, listOrders, logIn];

// #region server
const server = createServer({
  name: 'erp',
  version: '1.0.0',
  features,
  extensions: [searchToolset({ always: ['log_in'] })],
});
// #endregion server

afterAll(() => server.close());

// #region test
it('offers each caller the tools that it may call', async () => {
  const clerk = await connect(server, { as: { id: 'ada', roles: ['billing'] } });
  const { tools } = await clerk.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['log_in', 'search_tools', 'call_tool']);
  expect(await clerk.callTool('search_tools', { query: 'cancel invoice' })).toMatchObject({
    structuredContent: { tools: [{ name: 'cancel_invoice' }] },
  });

  const guest = await connect(server, { as: { id: 'bob' } });
  expect(await guest.callTool('call_tool', { name: 'cancel_invoice' })).toMatchObject({ isError: true });
});
// #endregion test

// #region code
const scripted = createServer({ name: 'erp', version: '1.0.0', features, extensions: [codeToolset()] });
// #endregion code

afterAll(() => scripted.close());

const SCRIPT = `
// #region script
const numbers = ['17', '18', '19'];
const answers = await Promise.all(numbers.map((number) => tools.cancel_invoice({ number })));
return answers.length;
// #endregion script
`;

it('runs a script', async () => {
  const client = await connect(scripted, { as: { id: 'ada', roles: ['billing'] } });
  const found = await client.callTool('run_code', { code: "return search('cancel invoice')" });
  expect(JSON.stringify(found.content)).toContain('tools.cancel_invoice(given: {');
  expect(await client.callTool('run_code', { code: SCRIPT })).toMatchObject({ structuredContent: { result: 3 } });
});
