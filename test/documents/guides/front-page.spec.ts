/** What the front page of the site shows: a class, what a model sees of it, and what a wrong call is answered. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eachRevision, matchers } from '@sigil-mcp/testing';
import { server } from './front-page';

expect.extend(matchers);

const page = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'index.md'), 'utf8');
const [, tool = ''] = /^```json\n([\s\S]*?)^```$/m.exec(page) ?? [];
const [, said = ''] = /^✗ (.+)$/m.exec(page) ?? [];

eachRevision('shows the tool as clients are told of it', async ({ connect, revision }) => {
  const client = await connect(server);
  const { tools } = await client.listTools();
  const shown = JSON.parse(tool) as Record<string, unknown>;
  const { annotations, ...others } = shown;
  // The oldest revision has no annotations.
  expect(tools[0]).toMatchObject(revision === '2024-11-05' ? others : { ...others, annotations });
  expect(Object.keys(tools[0]?.inputSchema ?? {})).toEqual(expect.arrayContaining(['type', 'properties', 'required']));
});

eachRevision(
  'shows what a model reads of a wrong call, and the default of what it left out',
  async ({ connect }) => {
    const client = await connect(server);
    expect(await client.callTool('findBooks', { words: 'Emma', limit: 50 })).toBeToolError(said);
    expect(await client.callTool('findBooks', { words: 'M' })).toHaveText(/Middlemarch/);
  },
  // Clients before it are answered with an error of the protocol.
  { since: '2025-11-25' },
);
