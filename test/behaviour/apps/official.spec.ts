/** What we list and serve is what the official helpers for servers write, and fits the official schema. */
import { registerAppResource, registerAppTool } from '@modelcontextprotocol/ext-apps/server';
import officialSchema from '@modelcontextprotocol/ext-apps/schema.json';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { apps, view } from '@sigil-mcp/apps';
import { createServer, tool } from '@sigil-mcp/core';
import { connect } from '@sigil-mcp/testing';
import Ajv from 'ajv/dist/2020';
import { pageWith, weather } from './weather';

const CSP = { connectDomains: ['https://api.example.com'], resourceDomains: ['https://*.example.com'] };
const UI = { csp: CSP, permissions: { camera: {} }, prefersBorder: true };

/** What a server says about its tools and views. */
interface Said {
  readonly tools: readonly { readonly name: string; readonly _meta?: unknown }[];
  readonly resources: readonly object[];
  readonly contents: readonly object[];
}

async function saidByOfficial(): Promise<Said> {
  const server = new McpServer({ name: 'official', version: '1.0.0' });
  // The helpers are typed for version 2 of the SDK; they call the same methods.
  const registering = server as unknown as Parameters<typeof registerAppTool>[0] &
    Parameters<typeof registerAppResource>[0];
  const answer = () => ({ content: [{ type: 'text' as const, text: 'ok' }] });
  registerAppTool(
    registering,
    'show',
    { description: 'Shows', _meta: { ui: { resourceUri: 'ui://test/view' } } },
    answer,
  );
  const visibility: 'app'[] = ['app'];
  const onlyApp = { ui: { resourceUri: 'ui://test/view', visibility } };
  registerAppTool(registering, 'more', { description: 'More', _meta: onlyApp }, answer);
  registerAppResource(registering, 'page', 'ui://test/view', { _meta: { ui: UI } }, async () => ({
    contents: [
      { uri: 'ui://test/view', mimeType: 'text/html;profile=mcp-app', text: pageWith('a'), _meta: { ui: UI } },
    ],
  }));
  const client = new Client({ name: 'judge', version: '1.0.0' });
  const [one, other] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(one), client.connect(other)]);
  const { tools } = await client.listTools();
  const { resources } = await client.listResources();
  const { contents } = await client.readResource({ uri: 'ui://test/view' });
  await client.close();
  return { tools, resources, contents };
}

async function saidByUs(): Promise<Said> {
  const page = view('ui://test/view', { name: 'page', csp: CSP, permissions: ['camera'], border: true }, () =>
    pageWith('a'),
  );
  const show = tool('show', { description: 'Shows', view: 'page' }, () => 'ok');
  const more = tool('more', { description: 'More', view: 'page', visibleTo: ['app'] }, () => 'ok');
  const features = [page, show, more];
  const server = createServer({ name: 'ours', version: '1.0.0', features, extensions: [apps()], logger: false });
  const client = await connect(server, { revision: '2025-11-25' });
  const { tools } = await client.listTools();
  const { resources } = await client.listResources();
  const { contents } = await client.readResource('ui://test/view');
  await client.close();
  return { tools, resources, contents };
}

const metaOf = ({ tools }: Said) => Object.fromEntries(tools.map(({ name, _meta: meta }) => [name, meta]));

it('is the same as that of registerAppTool() and registerAppResource()', async () => {
  const [official, ours] = [await saidByOfficial(), await saidByUs()];
  expect(metaOf(ours)).toEqual(metaOf(official));
  expect(ours.resources).toEqual(official.resources);
  expect(ours.contents).toEqual(official.contents);
});

it('fits the official schema', async () => {
  const ajv = new Ajv({ strict: false });
  const toolMeta = ajv.compile(officialSchema.$defs.McpUiToolMeta);
  const viewMeta = ajv.compile(officialSchema.$defs.McpUiResourceMeta);
  const client = await connect(weather());
  const { tools } = await client.listTools();
  const { resources } = await client.listResources();
  const uis = (entries: readonly object[]): unknown[] =>
    (entries as { _meta?: { ui?: unknown } }[]).map(({ _meta: meta }) => meta?.ui).filter((ui) => ui !== undefined);
  expect(uis(tools)).toHaveLength(4);
  for (const ui of uis(tools)) expect([toolMeta(ui), toolMeta.errors]).toEqual([true, null]);
  expect(uis(resources)).toHaveLength(1);
  for (const ui of uis(resources)) expect([viewMeta(ui), viewMeta.errors]).toEqual([true, null]);
  await client.close();
});
