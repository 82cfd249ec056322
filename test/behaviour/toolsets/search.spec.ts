/** Two tools in place of many: what they find and call, for whom, in every revision. */
import { tool, type JsonObject } from '@sigil-mcp/core';
import { connect, type TestClient } from '@sigil-mcp/testing';
import { eachRevision } from '../../support/each-revision';
import { tasks } from '@sigil-mcp/tasks';
import type { FoundTools } from '@sigil-mcp/toolsets';
import { codeToolset } from '@sigil-mcp/toolsets/code';
import { RecordedAudit } from '../audit/recorded-audit';
import { until } from '../../support/until';
import { erp } from './erp';

async function find(client: TestClient, query: string, limit?: number): Promise<FoundTools> {
  const { content } = await client.callTool('search_tools', { query, ...(limit !== undefined && { limit }) });
  const [block] = content as readonly { text: string }[];
  return JSON.parse(block?.text ?? '') as FoundTools;
}

async function namesOf(client: TestClient, query: string): Promise<string[]> {
  return (await find(client, query, 20)).tools.map(({ name }) => name);
}

const call = (client: TestClient, name: string, given?: JsonObject) =>
  client.callTool('call_tool', { name, ...(given && { arguments: given }) });

const listed = async (client: TestClient): Promise<string[]> =>
  (await client.listTools()).tools.map(({ name }) => name);

eachRevision('lists two tools, finds the others by words, and calls them', async ({ connect: open }) => {
  const { server } = erp();
  const client = await open(server);
  expect(await listed(client)).toEqual(['search_tools', 'call_tool']);
  const { tools } = await find(client, 'send an invoice');
  expect(tools[0]).toEqual({
    name: 'sendInvoice',
    description: 'Sends an invoice to a customer by e-mail',
    inputSchema: expect.objectContaining({ required: ['customer', 'amount'] }) as object,
    outputSchema: expect.objectContaining({ required: ['invoice', 'amount'] }) as object,
    annotations: { destructiveHint: false },
  });
  const direct = await client.callTool('sendInvoice', { customer: '7', amount: 12 });
  expect(await call(client, 'sendInvoice', { customer: '7', amount: 12 })).toEqual(direct);
  expect(await call(client, 'get_forecast')).toEqual(await client.callTool('get_forecast'));
  await server.close();
});

eachRevision('hands on every part of a result, failures and progress', async ({ connect: open }) => {
  const { server } = erp();
  const client = await open(server);
  for (const name of ['parts', 'fail']) expect(await call(client, name)).toEqual(await client.callTool(name));
  const steps: unknown[] = [];
  await client.callTool('call_tool', { name: 'steps' }, { onProgress: (step) => void steps.push(step) });
  expect(steps).toMatchObject([{ progress: 1, total: 2 }]);
  const outcome = (name: string, given: JsonObject) =>
    client.callTool(name, given).then(
      (result) => result,
      (error: { code: number; message: string }) => [error.code, error.message],
    );
  const refused = { customer: 7 };
  expect(await outcome('call_tool', { name: 'sendInvoice', arguments: refused })).toEqual(
    await outcome('sendInvoice', refused),
  );
  expect(await outcome('call_tool', { name: 'locked' })).toEqual(await outcome('locked', {}));
  await server.close();
});

eachRevision(
  'asks the user for a tool that asks, once, and does once what must not repeat',
  async ({ connect: open }) => {
    const { server, done } = erp();
    const questions: string[] = [];
    const client = await open(server, {
      capabilities: { elicitation: { form: {} } },
      answers: (question) => {
        questions.push(String((question.params as { message?: string }).message));
        return { action: 'accept', content: { ok: true } };
      },
    });
    expect(await call(client, 'pay', { iban: 'NO93' })).toMatchObject({ content: [{ text: 'Paid.' }] });
    expect(questions).toEqual(['Pay?']);
    expect(done).toEqual(['paid NO93']);
    await server.close();
  },
  { since: '2025-06-18' },
);

eachRevision('shows and calls only what the caller may see', async ({ connect: open }) => {
  const { server } = erp();
  const guest = await open(server, { as: { id: 'bob' } });
  const clerk = await open(server, { as: { id: 'ada', roles: ['finance'] } });
  expect(await namesOf(guest, 'pay salaries payroll')).not.toContain('payroll');
  expect((await namesOf(clerk, 'payroll'))[0]).toBe('payroll');
  expect(await call(clerk, 'payroll')).toMatchObject({ isError: false });
  const words = (result: object, name: string) => JSON.stringify(result).replaceAll(name, '…');
  expect(words(await call(guest, 'payroll'), 'payroll')).toBe(words(await call(guest, 'nothing'), 'nothing'));
  expect(await call(guest, 'nothing')).toMatchObject({ isError: true });
  for (const name of ['search_tools', 'call_tool'])
    expect(await call(guest, name, { query: 'x', name: 'fail' })).toMatchObject({ isError: true });
  await server.close();
});

it('asks for scopes that are missing as a direct call does', async () => {
  const { server } = erp();
  const client = await connect(server, { as: { id: 'bob', scopes: [] } });
  expect(await namesOf(client, 'archive invoices')).toContain('archive');
  const refusal = (run: Promise<unknown>) =>
    run.then(
      () => undefined,
      (error: { code: number; message: string }) => error.message,
    );
  expect(await refusal(call(client, 'archive'))).toBe(await refusal(client.callTool('archive')));
  expect(await refusal(call(client, 'archive'))).toBeDefined();
  await server.close();
});

it('cancels the tool that it runs', async () => {
  const { server, done } = erp();
  const client = await connect(server);
  const { id } = client.start('tools/call', { name: 'call_tool', arguments: { name: 'wait' } });
  await until(() => done.includes('waiting'));
  client.cancel(id);
  await until(() => done.includes('cancelled'));
  await server.close();
});

it('follows tools that are added, changed, disabled and removed', async () => {
  const { server } = erp();
  const client = await connect(server);
  const { registry } = server;
  await find(client, 'anything');
  registry.add(tool('mint_coins', { description: 'Mints coins' }, () => 'Minted.'));
  expect(await namesOf(client, 'coin')).toEqual(['mint_coins']);
  expect(await listed(client)).toEqual(['search_tools', 'call_tool']);
  registry.update('tool', 'mint_coins', { description: 'Strikes medals' });
  expect(await namesOf(client, 'medal')).toEqual(['mint_coins']);
  registry.disable('tool', 'mint_coins');
  expect((await find(client, 'medal')).tools).toEqual([]);
  expect(await call(client, 'mint_coins')).toMatchObject({ isError: true });
  registry.enable('tool', 'mint_coins');
  expect(await call(client, 'mint_coins')).toMatchObject({ isError: false });
  registry.remove('tool', 'mint_coins');
  expect(await find(client, 'medal')).toEqual({
    tools: [],
    note: expect.stringContaining('No tool matches') as string,
  });
  await server.close();
});

it('does not tell clients of a change that their list does not show', async () => {
  const { server } = erp({ always: ['get_forecast'] });
  const client = await connect(server, { revision: '2025-11-25' });
  const changes = () => client.notifications('notifications/tools/list_changed');
  server.registry.disable('tool', 'fail');
  await client.listTools();
  expect(changes()).toEqual([]);
  server.registry.disable('tool', 'get_forecast');
  await until(() => changes().length === 1);
  await server.close();
});

it('keeps tools in the list that are to stay', async () => {
  const { server } = erp({ always: ['get_forecast'] });
  const client = await connect(server);
  expect(await listed(client)).toEqual(['get_forecast', 'search_tools', 'call_tool']);
  await server.close();
  const chosen = erp({ always: ({ definition }) => definition.annotations?.readOnlyHint === true });
  expect(await listed(await connect(chosen.server))).toEqual(['get_forecast', 'search_tools', 'call_tool']);
  await chosen.server.close();
});

it('keeps tools with views in the list, and offers none that are for views alone', async () => {
  const shown = tool('chart', { description: 'A chart', meta: { ui: { resourceUri: 'ui://chart' } } }, () => 'Chart.');
  const page = tool('next_page', { description: 'A page', meta: { ui: { visibility: ['app'] } } }, () => 'Page.');
  const { server } = erp({}, { features: [shown, page] });
  const client = await connect(server);
  expect(await listed(client)).toEqual(['chart', 'next_page', 'search_tools', 'call_tool']);
  expect(await namesOf(client, 'chart page')).toEqual(['chart']);
  expect(await call(client, 'next_page')).toMatchObject({ isError: true });
  await server.close();
});

it('stands next to the toolset of scripts, and neither runs the other', async () => {
  const { server } = erp({}, { extensions: [codeToolset()] });
  const client = await connect(server);
  expect(await listed(client)).toEqual(['search_tools', 'call_tool', 'run_code']);
  expect(await namesOf(client, 'run code')).not.toContain('run_code');
  expect(await call(client, 'run_code', { code: 'return 1' })).toMatchObject({ isError: true });
  await server.close();
});

it('describes the tools that lists leave out, for contracts', () => {
  const { entries, audiences } = erp().server.describe();
  expect(entries.find(({ key }) => key === 'fail')).toMatchObject({ isUnlisted: true });
  expect(entries.find(({ key }) => key === 'call_tool')).toMatchObject({ isUnlisted: false });
  expect(audiences.find(({ name }) => name === 'with a token')).toMatchObject({
    sees: [{ key: 'search_tools' }, { key: 'call_tool' }],
    uses: expect.arrayContaining([expect.objectContaining({ key: 'sendInvoice' })]) as unknown,
  });
});

it('answers with no more than there is room for, and says so', async () => {
  const big = (name: string) => tool(name, { description: `A long one ${'blah '.repeat(500)}` }, () => 'x');
  const { server } = erp({ answerLength: 1000 }, { features: [big('long_a'), big('long_b')] });
  const client = await connect(server);
  const { tools, note } = await find(client, 'long');
  expect(tools[0]).toHaveProperty('inputSchema');
  expect(tools[1]).not.toHaveProperty('inputSchema');
  expect(note).toContain('no room');
  await server.close();
});

it('runs a tool to its end that is a task when it is called directly', async () => {
  const report = tool('report', { description: 'Writes the report', task: 'required' }, () => 'Written.');
  const { server } = erp({}, { features: [report], extensions: [tasks()] });
  const client = await connect(server, {
    revision: '2026-07-28',
    capabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } },
  });
  expect(await call(client, 'report')).toMatchObject({ isError: false, content: [{ text: 'Written.' }] });
  await server.close();
});

it('records the tool that was called, within the record of the call', async () => {
  const audit = new RecordedAudit();
  const { server } = erp({}, { observers: [audit.observer] });
  const client = await connect(server, { as: { id: 'ada', roles: ['finance'] } });
  await call(client, 'payroll');
  await call(client, 'fail');
  await call(client, 'locked').catch(() => undefined);
  await server.close();
  const records = audit.of('tools/call');
  const outer = records.filter(({ within }) => within === undefined);
  const inner = records.filter(({ within }) => within !== undefined);
  expect(inner).toMatchObject([
    { entry: { key: 'payroll' }, outcome: 'result', guards: [{ verdict: 'allowed' }], within: outer[0]?.id },
    { entry: { key: 'fail' }, outcome: 'tool_error', within: outer[1]?.id },
    { entry: { key: 'locked' }, outcome: 'denied', within: outer[2]?.id },
  ]);
});

it('refuses options that it does not know, and names that no tool has', () => {
  const problemsOf = (toolset: object) => {
    try {
      erp(toolset);
      return '';
    } catch (error) {
      return String(error);
    }
  };
  expect(problemsOf({ results: 0 })).toContain('SIGIL_OPTION_KIND');
  expect(problemsOf({ resutls: 1 })).toContain('Did you mean results?');
  expect(problemsOf({ names: { find: 'find' } })).toContain(
    'searchToolset({ names: { find } }): there is no such option',
  );
  expect(problemsOf(null as never)).toContain('SIGIL_OPTION_KIND');
  expect(problemsOf({ always: ['get_forecats'] })).toContain('Did you mean get_forecast?');
  expect(problemsOf({ always: ['get_forecats'] })).toContain('SIGIL_TOOLSETS_ALWAYS');
  expect(problemsOf({ names: { search: 'fail' } })).toContain('fail');
});
