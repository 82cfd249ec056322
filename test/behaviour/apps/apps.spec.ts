/** MCP Apps as clients see them: the same on every revision, whether a client declares the extension or not. */
import { createServer, tool } from '@sigil-mcp/core';
import { connect, type TestClient } from '@sigil-mcp/testing';
import { eachRevision } from '../../support/each-revision';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { weather } from './weather';

const PAGE = readFileSync(join(__dirname, 'pages', 'chart.html'), 'utf8');
const CHART_UI = {
  csp: { connectDomains: ['https://api.example.com'] },
  permissions: { clipboardWrite: {} },
  prefersBorder: true,
};
const DECLARED = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } };

const greetPlainly = tool('greet', { description: 'Greets' }, () => 'Hello');

/** The answer to `initialize`. */
interface Opening {
  readonly result: { readonly capabilities: unknown };
}

async function metaOf(client: TestClient): Promise<Record<string, unknown>> {
  const { tools } = await client.listTools();
  return Object.fromEntries(tools.map(({ name, _meta: meta }) => [name, meta]));
}

eachRevision(
  'a server with views advertises the extension under its name [APPS-001] [BASE-045]',
  async ({ connect: open, revision }) => {
    const client = await open(weather(), { capabilities: DECLARED });
    expect(client.revision).toBe(revision);
    // The answer to `initialize` is the first message of the server; clients of 2026-07-28 ask for it.
    const opening = client.traffic.find(({ from }) => from === 'server');
    const { capabilities } =
      revision === '2026-07-28'
        ? await client.request('server/discover')
        : (JSON.parse(opening?.text ?? '') as Opening).result;
    expect(capabilities).toMatchObject({ extensions: { 'io.modelcontextprotocol/ui': {} } });
  },
);

eachRevision(
  'views are listed under ui:// with their type and settings [APPS-002] [APPS-003] [APPS-010]',
  async ({ connect: open }) => {
    const client = await open(weather());
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri).sort()).toEqual([
      'ui://weather/chart',
      'ui://weather/hello',
      'ui://weather/now',
      'weather://today',
    ]);
    expect(resources.find(({ uri }) => uri === 'ui://weather/chart')).toMatchObject({
      name: 'chart',
      mimeType: 'text/html;profile=mcp-app',
      _meta: { ui: CHART_UI },
    });
  },
);

eachRevision(
  'the page of a file is read with its settings on the contents [APPS-003] [APPS-004]',
  async ({ connect: open }) => {
    const client = await open(weather());
    const { contents } = await client.readResource('ui://weather/chart');
    expect(contents).toEqual([
      { uri: 'ui://weather/chart', mimeType: 'text/html;profile=mcp-app', text: PAGE, _meta: { ui: CHART_UI } },
    ]);
  },
);

eachRevision('the page that a method or a function returns is read [APPS-004]', async ({ connect: open }) => {
  const client = await open(weather());
  const { contents: now } = await client.readResource('ui://weather/now');
  expect(now).toMatchObject([{ mimeType: 'text/html;profile=mcp-app', text: expect.stringContaining('Hello ') }]);
  const { contents: hello } = await client.readResource('ui://weather/hello');
  expect(hello).toMatchObject([{ mimeType: 'text/html;profile=mcp-app', text: expect.stringContaining('<p>Hello') }]);
  expect(hello[0]).not.toHaveProperty('_meta');
});

eachRevision(
  'each tool names its view, which can be read, and who may call it [APPS-005] [APPS-009]',
  async ({ connect: open }) => {
    const client = await open(weather());
    const meta = await metaOf(client);
    expect(meta).toEqual({
      series: { ui: { resourceUri: 'ui://weather/chart' }, 'ui/resourceUri': 'ui://weather/chart' },
      refresh: {
        ui: { resourceUri: 'ui://weather/chart', visibility: ['app'] },
        'ui/resourceUri': 'ui://weather/chart',
      },
      current: {
        ui: { resourceUri: 'ui://weather/now', visibility: ['model'] },
        'ui/resourceUri': 'ui://weather/now',
      },
      greet: { ui: { resourceUri: 'ui://weather/hello' }, 'ui/resourceUri': 'ui://weather/hello' },
      plain: undefined,
    });
    for (const { ui } of Object.values(meta).filter((each) => each !== undefined) as { ui: { resourceUri: string } }[])
      expect((await client.readResource(ui.resourceUri)).contents).toHaveLength(1);
  },
);

eachRevision('tools that only views may call are listed and can be called [APPS-009]', async ({ connect: open }) => {
  const client = await open(weather());
  expect(await client.callTool('refresh', { city: 'Oslo' })).toMatchObject({ content: [{ text: 'Oslo' }] });
});

eachRevision('a tool with a view answers with text as well [APPS-007]', async ({ connect: open }) => {
  const client = await open(weather());
  const { content } = await client.callTool('series', { city: 'Oslo' });
  expect(content).toEqual([{ type: 'text', text: '{"city":"Oslo","days":["sun"]}' }]);
});

eachRevision(
  'lists and calls do not depend on whether a client declares the extension [BASE-046]',
  async ({ connect: open }) => {
    const declaring = await open(weather(), { capabilities: DECLARED });
    const other = await open(weather());
    expect((await other.listTools()).tools).toEqual((await declaring.listTools()).tools);
    expect((await other.listResources()).resources).toEqual((await declaring.listResources()).resources);
    expect((await other.readResource('ui://weather/chart')).contents).toHaveLength(1);
    expect(await other.callTool('series', { city: 'Oslo' })).toMatchObject({ content: [{ type: 'text' }] });
  },
);

describe('apps()', () => {
  it('is advertised only by servers that name it [BASE-047]', async () => {
    const client = await connect(
      createServer({ name: 'plain', version: '1.0.0', features: [greetPlainly], logger: false }),
    );
    const { capabilities } = await client.request('server/discover');
    expect(capabilities).not.toHaveProperty('extensions');
    expect((await client.listTools()).tools.every((listed) => !('_meta' in listed))).toBe(true);
    await client.close();
  });

  it('leaves out the deprecated key if told so [APPS-008]', async () => {
    const client = await connect(weather({ oldHosts: false }));
    expect((await metaOf(client))['series']).toEqual({ ui: { resourceUri: 'ui://weather/chart' } });
    await client.close();
  });
});
