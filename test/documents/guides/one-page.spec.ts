/** docs/one-page.md, which assistants read as llms-small.txt: what it shows works, and it is small. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { Feature, Tool, UseGuards, createServer, type Call, type Interceptor } from '@sigil-mcp/core';
import { connect, eachRevision, matchers } from '@sigil-mcp/testing';
import { encode } from 'gpt-tokenizer';
import { parseConfigFileTextToJson } from 'typescript';
import { calculator } from './one-page/src/calculator';
import { Staff } from './one-page/src/guards';
import { OrderId } from './one-page/src/order.dto';
import { server } from './one-page/src/server';
import { Shop } from './one-page/src/shop';

expect.extend(matchers);

const order = { email: 'ada@example.com', lines: [{ article: 'tea' }] };
const override = [Shop];
const as = { id: 'ada', scopes: ['orders:write'] };

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

it('shows and hides a tool, and notifies subscribers of a resource', async () => {
  // Later revisions notify of lists only where a client asked for it.
  const client = await connect(server, { override, revision: '2025-11-25' });
  await expect(client).not.toListTool('countOrders');
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

it('cancels once, although the client sends the same answer twice', async () => {
  const shop = new Shop();
  const client = await connect(server, {
    override: [{ provide: Shop, useValue: shop }],
    as,
    capabilities: { elicitation: {} },
  });
  await client.callTool('placeOrder', order);
  const call = { name: 'cancelOrder', arguments: { id: '1' } };
  const { inputRequests, requestState } = await client.request('tools/call', call);
  const answer = { action: 'accept', content: { sure: true, reason: 'mistake' } };
  const [key = ''] = Object.keys(inputRequests as object);
  const retry = { ...call, requestState, inputResponses: { [key]: answer } };
  const first = await client.request('tools/call', retry);
  shop.get('1').state = 'open';
  expect(await client.request('tools/call', retry)).toEqual(first);
  expect(shop.get('1').state).toBe('open');
  await client.close();
});

eachRevision('tells a caller whose client has no forms', async ({ connect }) => {
  const client = await connect(server, { override, as });
  await client.callTool('placeOrder', order);
  expect(await client.callTool('cancelOrder', { id: '1' })).toBeToolError(/has no forms/);
});

it('injects an interface by its token, and reads numbers, dates and null', async () => {
  const client = await connect(server, { override });
  expect(await client.callTool('inStock', { article: 'tea', pieces: 13 })).toHaveText('false');
  expect(await client.callTool('inStock', { article: 'tea', pieces: null })).toHaveText('true');
  const dated = { ...order, from: '2026-01-31', sizes: [1, 2] };
  expect(await client.callTool('placeOrder', dated)).toHaveStructured({ from: '2026-01-31T00:00:00.000Z' });
  expect(await client.callTool('placeOrder', { ...order, from: 'soon' })).toBeToolError(
    /from: must be a date such as 2026-01-31 or a date and time/,
  );
  await client.close();
});

it('counts orders, with a view for hosts that show one', async () => {
  const client = await connect(server, { override });
  await client.callTool('placeOrder', order);
  expect(await client.callTool('showSales')).toHaveStructured({ open: 1, sent: 0 });
  expect(await client.readResource('ui://shop/sales')).toHaveText(/connectView/);
  await client.close();
});

it('completes the values of @IsIn in a prompt', async () => {
  const client = await connect(server, { override });
  expect((await client.complete({ prompt: 'report' }, 'length', '')).completion.values).toEqual(['short', 'long']);
  await client.close();
});

@Feature()
@UseGuards(Staff)
class Hidden {
  @Tool('Reads an order')
  find({ id }: OrderId): string {
    return id;
  }
}

it('runs interceptors of the server around lists, refusals, invalid arguments and probes of hidden tools', async () => {
  const seen: string[] = [];
  const watch: Interceptor = {
    async intercept({ method, entry }: Call, next): Promise<unknown> {
      const called = [method, entry?.kind, entry?.key].join(' ');
      try {
        return await next();
      } catch (error) {
        seen.push(`${called} failed`);
        throw error;
      } finally {
        seen.push(called);
      }
    },
  };
  const watched = createServer({ name: 'watched', version: '1.0.0', features: [Hidden], interceptors: [watch] });
  const staff = await connect(watched, { as: { id: 'ada', roles: ['staff'] } });
  await staff.callTool('find', { id: 5 });
  await staff.callTool('find', { id: '5' });
  await staff.close();
  const other = await connect(watched, { as: { id: 'eve' } });
  await other.listTools();
  await expect(other.callTool('find', { id: '5' })).rejects.toBeRpcError(-32602);
  await expect(other.callTool('none')).rejects.toBeRpcError(-32602);
  await other.close();
  expect(seen.filter((line) => !line.startsWith('server/discover'))).toEqual([
    'tools/call tool find failed',
    'tools/call tool find',
    'tools/call tool find',
    'tools/list  ',
    'tools/call tool find failed',
    'tools/call tool find',
    'tools/call   failed',
    'tools/call  ',
  ]);
});

it('calls a tool that is a function', async () => {
  const client = await connect(calculator);
  expect(await client.callTool('add', { a: 1, b: 2 })).toHaveText('3');
  await client.close();
});

describe('llms-small.txt', () => {
  const root = join(__dirname, '..', '..', '..');
  const page = readFileSync(join(root, 'docs', 'one-page.md'), 'utf8');

  it('has at most 12,000 tokens', () => {
    expect(encode(page).length).toBeLessThanOrEqual(12_000);
  });

  const printed = [
    ...page.matchAll(/`(\S+\.(?:ts|html))`.*\n\n<!-- snippet: (\S+)#\w+ -->\n```(?:ts|html)\n([^]*?)\n```/g),
  ].map(([, name = '', source = '', code = '']) => ({ name, source, code }));
  const sources = ['src', 'test'].flatMap((folder) =>
    readdirSync(join(__dirname, 'one-page', folder)).map((name) => `test/documents/guides/one-page/${folder}/${name}`),
  );

  it('prints every file of its example whole', () => {
    expect(printed.map(({ source }) => source).sort()).toEqual(sources.sort());
    for (const { source, code } of printed) {
      const whole = readFileSync(join(root, source), 'utf8')
        .replace(/^\/\*\*[^]*?\*\/\n(?=\/\/ #region)/, '')
        .replace(/^(?:\/\/|<!--) #(end)?region.*\n/gm, '');
      expect(`${code}\n`).toBe(whole);
    }
  });

  it('prints each file under the name by which the others import it', () => {
    const names = new Set(printed.map(({ name }) => name));
    const imported = printed.flatMap(({ name, code }) =>
      [...code.matchAll(/from '(\.[^']+)'/g)].map(([, path = '']) => `${posix.join(posix.dirname(name), path)}.ts`),
    );
    expect(imported.filter((name) => !names.has(name))).toEqual([]);
  });

  it('has the compiler options of a new project', () => {
    const [, shown = ''] = /`tsconfig\.json`[^]*?```json\n([^]*?)```/.exec(page) ?? [];
    const template = readFileSync(join(root, 'packages/cli/templates/base/tsconfig.json.template'), 'utf8');
    const options = (text: string): unknown => parseConfigFileTextToJson('tsconfig.json', text).config as unknown;
    expect(options(shown)).toEqual(options(template));
  });
});
