/** `sigil docs --mcp`: an assistant with the official client searches, reads, and gets a project. */
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const COMMAND = join(__dirname, '..', '..', '..', 'packages', 'cli', 'dist', 'main.js');

let client: Client;
beforeAll(async () => {
  client = new Client({ name: 'assistant', version: '1' });
  const args = [COMMAND, 'docs', '--mcp'];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
});
afterAll(() => client.close());

const call = async (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });
const textOf = async (name: string, args: Record<string, unknown>): Promise<string> => {
  const { content } = await call(name, args);
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
};

it('finds pages for a question, which can be read by their paths', async () => {
  const { structuredContent } = await call('searchDocs', { query: 'ask the user for confirmation', limit: 3 });
  const { results } = structuredContent as { results: { page: string }[] };
  expect(results).toHaveLength(3);
  expect(results.map(({ page }) => page)).toContain('asking');
  expect(await textOf('readPage', { page: 'asking' })).toMatch(/^# .*\n[^]*elicit/);
});

it.each(['how-to/errors.md', '/how-to/errors', 'https://sigil-mcp.github.io/sigil/how-to/errors#anything'])(
  'reads a page under the name %s',
  async (page) => {
    expect(await textOf('readPage', { page })).toMatch(/^# Errors/);
  },
);

it('explains an error by its whole message', async () => {
  const error = 'F.find: "a b" is not a valid tool name. Use 1 to 128 characters ... [SIGIL_TOOL_NAME]';
  expect(await textOf('explainError', { error })).toMatch(/^# SIGIL_TOOL_NAME[^]*How to fix it/);
});

it.each([
  ['readPage', { page: 'quickstart' }, 'Did you mean quick-start'],
  ['explainError', { error: 'SIGIL_TOOL_NAMES' }, 'SIGIL_TOOL_NAME'],
  ['writeStarter', { name: 'Not A Name' }, 'name'],
])('says what is wrong with the arguments of %s, so that a model can correct them', async (name, args, hint) => {
  const { isError, content } = await call(name, args);
  expect(isError).toBe(true);
  expect(JSON.stringify(content)).toContain(hint);
});

it('writes the files of a project', async () => {
  const files = await textOf('writeStarter', { name: 'my-notes', transport: 'both' });
  for (const path of ['package.json', 'src/main.ts', 'src/server.ts', 'tsconfig.json']) {
    expect(files).toContain(`\`${path}\``);
  }
  expect(files).toContain('"name": "my-notes"');
});

it('offers each page as a resource, and a prompt that begins with what a server needs', async () => {
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toContain('sigil-docs:///how-to/errors');
  const { contents } = await client.readResource({ uri: 'sigil-docs:///how-to/errors' });
  expect(JSON.stringify(contents)).toContain('# Errors');
  const { messages } = await client.getPrompt({ name: 'buildServer', arguments: { task: 'counts words' } });
  expect(JSON.stringify(messages)).toMatch(/counts words[^]*Sigil on one page/);
});
