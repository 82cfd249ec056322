/** The second dialect of views: what ChatGPT read before MCP Apps, written from the same declarations. */
import { apps, View, view } from '@sigil-mcp/apps';
import { Feature, Tool, UseGuards, createServer, type Access, type Guard } from '@sigil-mcp/core';
import { connect } from '@sigil-mcp/testing';
import { eachRevision } from '../../support/each-revision';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pageWith, weather } from './weather';

const PAGE = readFileSync(join(__dirname, 'pages', 'chart.html'), 'utf8');
const CHART = {
  'openai/widgetCSP': { connect_domains: ['https://api.example.com'], resource_domains: [] },
  'openai/widgetPrefersBorder': true,
  'openai/widgetDescription': 'Draws a series',
};

const DIGEST = createHash('sha256').update(PAGE).digest('hex').slice(0, 8);

eachRevision('each view has a second resource with the names of ChatGPT', async ({ connect: open }) => {
  const client = await open(weather({ chatgpt: true }));
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate).sort()).toEqual([
    'ui://weather/chart.skybridge.html{?v}',
    'ui://weather/hello.skybridge.html{?v}',
    'ui://weather/now.skybridge.html{?v}',
  ]);
  expect(resourceTemplates.every(({ mimeType }) => mimeType === 'text/html+skybridge')).toBe(true);
  expect(resourceTemplates.find(({ name }) => name === 'chart')).toMatchObject({ _meta: CHART });
  // The specification permits no other type under ui:// in this list.
  const { resources } = await client.listResources();
  expect(new Set(resources.map(({ mimeType }) => mimeType))).toEqual(new Set(['text/html;profile=mcp-app', undefined]));

  for (const uri of ['ui://weather/chart.skybridge.html', `ui://weather/chart.skybridge.html?v=${DIGEST}`])
    expect((await client.readResource(uri)).contents).toEqual([
      { uri, mimeType: 'text/html+skybridge', text: PAGE, _meta: CHART },
    ]);
  for (const name of ['now', 'hello'])
    expect((await client.readResource(`ui://weather/${name}.skybridge.html`)).contents).toMatchObject([
      { mimeType: 'text/html+skybridge', text: expect.stringContaining('<p>Hello') },
    ]);
});

eachRevision('each tool names both resources, and says who may call it in both dialects', async ({ connect: open }) => {
  const client = await open(weather({ chatgpt: true, oldHosts: false }));
  const { tools } = await client.listTools();
  expect(Object.fromEntries(tools.map(({ name, _meta: meta }) => [name, meta]))).toEqual({
    series: {
      ui: { resourceUri: 'ui://weather/chart' },
      'openai/outputTemplate': `ui://weather/chart.skybridge.html?v=${DIGEST}`,
      'openai/widgetAccessible': true,
      'openai/visibility': 'public',
    },
    refresh: {
      ui: { resourceUri: 'ui://weather/chart', visibility: ['app'] },
      'openai/outputTemplate': `ui://weather/chart.skybridge.html?v=${DIGEST}`,
      'openai/widgetAccessible': true,
      'openai/visibility': 'private',
    },
    current: {
      ui: { resourceUri: 'ui://weather/now', visibility: ['model'] },
      'openai/outputTemplate': 'ui://weather/now.skybridge.html',
      'openai/widgetAccessible': false,
      'openai/visibility': 'public',
    },
    greet: {
      ui: { resourceUri: 'ui://weather/hello' },
      'openai/outputTemplate': 'ui://weather/hello.skybridge.html',
      'openai/widgetAccessible': true,
      'openai/visibility': 'public',
    },
    plain: undefined,
  });
});

it('one value of apps() serves several servers, each with its own rights', async () => {
  const extensions = [apps({ chatgpt: true })];
  const serverOf = (scope: string, allowed: string) =>
    createServer({
      name: scope,
      version: '1.0.0',
      logger: false,
      extensions,
      features: [
        view(
          'ui://shared/page',
          { name: 'page', guards: [{ allows: ({ caller }: Access) => caller.id === allowed }] },
          () => pageWith(allowed),
        ),
      ],
    });
  const servers = [serverOf('one', 'anna'), serverOf('two', 'bert')];
  // All of them have started before one is asked.
  for (const server of servers) await (await connect(server)).close();
  for (const [index, allowed] of ['anna', 'bert'].entries())
    for (const id of ['anna', 'bert']) {
      const client = await connect(servers[index]!, { as: { id } });
      const read = client.readResource('ui://shared/page.skybridge.html');
      if (id === allowed) expect((await read).contents).toMatchObject([{ text: pageWith(allowed) }]);
      else await expect(read).rejects.toMatchObject({ code: -32602 });
      const { resourceTemplates } = await client.listResourceTemplates();
      expect(resourceTemplates).toHaveLength(id === allowed ? 1 : 0);
      await client.close();
    }
  await Promise.all(servers.map((server) => server.close()));
});

it('the second resource is read also if it was disabled before the start', async () => {
  const server = createServer({
    name: 'a',
    version: '1.0.0',
    logger: false,
    features: [view('ui://late/page', { name: 'late' }, () => pageWith('late'))],
    extensions: [apps({ chatgpt: true })],
  });
  const template = 'ui://late/page.skybridge.html{?v}';
  server.registry.disable('resource-template', template);
  const client = await connect(server);
  await expect(client.readResource('ui://late/page.skybridge.html')).rejects.toMatchObject({ code: -32602 });
  server.registry.enable('resource-template', template);
  expect((await client.readResource('ui://late/page.skybridge.html')).contents).toMatchObject([
    { text: pageWith('late') },
  ]);
  await server.close();
});

class OnlyAnna implements Guard {
  allows({ caller }: Access): boolean {
    return caller.id === 'anna';
  }
}

@Feature()
@UseGuards(new OnlyAnna())
class Secret {
  @View('ui://secret/page') page(): string {
    return pageWith('secret');
  }
  @Tool('Shows it', { view: 'page' }) show(): string {
    return 'ok';
  }
}

it('the second resource is for those who may read the view', async () => {
  const open = view('ui://open/page', { name: 'open', scopes: ['read'] }, () => pageWith('open'));
  const features = [Secret, open];
  const server = createServer({
    name: 'a',
    version: '1.0.0',
    logger: false,
    features,
    extensions: [apps({ chatgpt: true })],
  });
  const anna = await connect(server, { as: { id: 'anna', scopes: ['read'] } });
  const bert = await connect(server, { as: { id: 'bert' } });
  const urisOf = async (client: typeof anna) =>
    (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate).sort();
  expect(await urisOf(anna)).toEqual(['ui://open/page.skybridge.html{?v}', 'ui://secret/page.skybridge.html{?v}']);
  expect((await anna.readResource('ui://secret/page.skybridge.html')).contents).toMatchObject([
    { text: pageWith('secret') },
  ]);
  expect(await urisOf(bert)).not.toContain('ui://secret/page.skybridge.html{?v}');
  await expect(bert.readResource('ui://secret/page.skybridge.html')).rejects.toThrow();
  await expect(bert.readResource('ui://open/page.skybridge.html')).rejects.toThrow();
  await Promise.all([anna.close(), bert.close()]);
});
