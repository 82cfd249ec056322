/** Projects on MCP-Nest, moved by `sigil migrate mcp-nest` alone: they compile, and serve clients of every revision as before. */
import { spawn, type ChildProcess } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { connect, eachRevision, type TestClient } from '@sigil-mcp/testing';
import '@sigil-mcp/testing/matchers';
import { compile, migrate, openProject, removeProjects } from './moved-project';

jest.setTimeout(120_000);
afterAll(removeProjects);

const children: ChildProcess[] = [];
afterAll(() => children.forEach((child) => child.kill()));

/** Starts a compiled program. @returns the address that it prints */
async function start(folder: string): Promise<string> {
  const child = spawn(process.execPath, [join(folder, 'dist', 'main.js')], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  for await (const line of createInterface({ input: child.stdout })) if (line.startsWith('http')) return line;
  throw new Error(`The program in ${folder} has ended.`);
}

const textOf = ({ content }: { readonly content: readonly object[] }): string =>
  content.map((block) => ('text' in block ? String(block.text) : '')).join('|');

describe('a project of version 1 with stdio', () => {
  const phrases = [
    { key: 'hello', source: 'Hello', target: 'Ahoj' },
    { key: 'bye', source: 'Bye', target: '' },
  ];
  let upstream: Server | undefined;
  let env: NodeJS.ProcessEnv = {};
  let program = '';
  let said = '';

  beforeAll(async () => {
    upstream = createServer(({ url }, response) => {
      const found = url === '/projects' ? ['web'] : url === '/projects/web/phrases' ? phrases : undefined;
      response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(found ?? {}));
    });
    await new Promise<void>((resolve) => upstream?.listen(0, '127.0.0.1', resolve));
    env = { ...process.env, PHRASES_URL: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}` };
    const folder = openProject('phrases', '11');
    said = migrate(folder);
    expect(compile(folder)).toEqual([]);
    program = join(folder, 'dist', 'main.js');
  });
  afterAll(() => upstream?.close());

  it('needs nothing by hand', () => {
    expect(said).toContain('9 tools');
    expect(said).not.toContain('To do by hand');
  });

  eachRevision('lists and calls its tools', async ({ connect: meet, revision }) => {
    const client = await meet({ command: process.execPath, args: [program], env });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual([
      ...['allStatistics', 'checkProject', 'findPhrases', 'getPhrase', 'listChanges', 'listProjects'],
      ...['projectStatistics', 'writePhrase', 'writePhrases'],
    ]);
    const [find] = tools.filter(({ name }) => name === 'findPhrases');
    expect(find).toMatchObject({
      description: 'Find phrases of a project that contain a text, in their source, their target or both',
      inputSchema: { properties: { searchIn: { enum: ['source', 'target', 'both'], default: 'both' } } },
    });
    expect(await client.callTool('listProjects')).toHaveText('Projects:\n\n- **web**');
    expect(await client.callTool('findPhrases', { project: 'web', text: 'Aho' })).toHaveText(
      '**hello**: Hello -> Ahoj',
    );
    expect((await client.callTool('findPhrases', { project: 'web', text: 'xyz' })).content).toEqual([]);
    const failed = await client.callTool('findPhrases', { project: 'no', text: 'xyz' });
    expect([failed.isError, textOf(failed)]).toEqual([true, 'Error: The upstream answered with 404']);
    const phrase = await client.callTool('getPhrase', { project: 'web', key: 'hello' });
    if (revision >= '2025-06-18') expect(phrase.structuredContent).toEqual(phrases[0]);
    expect(await client.callTool('getPhrase', { project: 'web', key: 'bye' })).toHaveText('It has no target.');
    const unknown = await client.callTool('getPhrase', { project: 'web', key: 'x' });
    expect([unknown.isError, textOf(unknown)]).toEqual([true, 'There is no phrase x.']);
    expect(await client.callTool('checkProject', { project: 'web' })).toHaveText('{"checked":2,"open":1}');
    expect(await client.callTool('projectStatistics', { project: 'web' })).toHaveText('2 phrases, 1 translated');
    expect(await client.callTool('allStatistics')).toHaveText('{"web":2}');
    expect(await client.callTool('writePhrase', { project: 'web', key: 'bye', target: null })).toHaveText('Wrote bye');
    expect(await client.callTool('listChanges')).toHaveText('bye = nothing');
  });

  eachRevision('reads its resources and prompts, and reports progress', async ({ connect: meet }) => {
    const client = await meet({ command: process.execPath, args: [program], env });
    const read = async (uri: string): Promise<unknown> => (await client.readResource(uri)).contents;
    expect(await read('phrases://languages')).toEqual([
      { uri: 'phrases://languages', mimeType: 'application/json', text: '["en","sk"]' },
    ]);
    expect(await read('phrases://web/hello')).toMatchObject([{ uri: 'phrases://web/hello', text: 'Ahoj' }]);
    const { description, messages } = await client.getPrompt('review', { project: 'web', tone: 'kindly' });
    expect([description, messages]).toMatchObject(['A review', [{ content: { text: 'Review web, kindly.' } }]]);
    const seen: number[] = [];
    await client.callTool(
      'checkProject',
      { project: 'web' },
      { onProgress: ({ progress }) => void seen.push(progress) },
    );
    expect(seen).toEqual([1, 2]);
  });
});

describe('a project of version 2 with guards, scopes, roles and public tools', () => {
  const KEYS = ['reader-key', 'writer-key', 'admin-key', undefined] as const;
  let before = '';
  let after = '';
  let said = '';

  beforeAll(async () => {
    const folder = openProject('reports', '12');
    expect(compile(folder)).toEqual([]);
    before = await start(folder);
    const moved = openProject('reports', '12');
    said = migrate(moved);
    expect(compile(moved)).toEqual([]);
    after = await start(moved);
  });
  const headersOf = (key: string | undefined): Record<string, string> => ({
    'x-agent': 'Test',
    ...(key !== undefined && { 'x-api-key': key }),
  });

  /** What a caller may see and do. */
  async function ask(client: TestClient): Promise<{ readonly names: string[]; readonly [answer: string]: unknown }> {
    const names = (await client.listTools()).tools.map(({ name }) => name).sort();
    const call = async (name: string, args: Record<string, string> = {}): Promise<unknown> => {
      const answer = await client.callTool(name, args).catch(() => ({ content: [], isError: true }));
      return answer.isError === true ? 'refused' : textOf(answer);
    };
    return {
      names,
      about: await call('about'),
      read: await call('read_report', { name: 'q1' }),
      write: await call('write_report', { name: 'q2', text: 'Fine.' }),
      purge: await call('purge'),
      who: await call('who'),
      agent: await call('agent'),
      own: await call('own'),
    };
  }

  it('needs nothing by hand', () => {
    expect(said).toContain('7 tools, 2 resources, 1 prompt');
    expect(said).not.toContain('To do by hand');
  });

  it.each(KEYS)('lets a caller with %s do what MCP-Nest let it, and lists what it may do', async (key) => {
    const meet = (url: string): Promise<TestClient> =>
      connect(url, { revision: '2025-06-18', headers: headersOf(key) });
    const [old, moved] = [await meet(before), await meet(after)];
    const known = await ask(old);
    // MCP-Nest lists tools that a guard refuses.
    const names = known.names.filter((name) => name !== 'own' || known['own'] !== 'refused');
    expect(await ask(moved)).toEqual({ ...known, names });
    await Promise.all([old.close(), moved.close()]);
  });

  eachRevision('lets callers in by their keys', async ({ connect: meet }) => {
    const admin = await meet(after, { headers: headersOf('admin-key') });
    expect(await ask(admin)).toMatchObject({ purge: 'purged', who: 'Ada', agent: 'Test', own: 'owned' });
    const reader = await meet(after, { headers: headersOf('reader-key') });
    expect(await ask(reader)).toMatchObject({
      read: 'All is well.',
      write: 'refused',
      purge: 'refused',
      own: 'refused',
    });
    const nobody = await meet(after, { headers: headersOf(undefined) });
    expect(await ask(nobody)).toMatchObject({ names: ['about'], about: 'Reports of the house.', read: 'refused' });
    const missing = await admin.callTool('read_report', { name: 'q9' });
    expect([missing.isError, textOf(missing)]).toEqual([true, 'There is no report q9.']);
    expect((await admin.readResource('reports://report/q1')).contents).toMatchObject([{ text: 'All is well.' }]);
    expect((await admin.getPrompt('summarize', { name: 'q1' })).messages).toMatchObject([
      { content: { text: 'Summarize q1.' } },
    ]);
  });

  it('refuses a key that is not known, and leaves routes alone', async () => {
    const answer = await fetch(after, { method: 'POST', headers: { 'x-api-key': 'stolen' } });
    expect([answer.status, await answer.text()]).toEqual([401, expect.stringContaining('The key is not known.')]);
    expect(await (await fetch(after.replace(/mcp$/, 'health'))).text()).toBe('ok');
  });
});

describe('a project of version 2 with two servers, which another file connects', () => {
  const urls = new Map<string, string>();
  let said = '';

  beforeAll(async () => {
    for (const name of ['before', 'after']) {
      const folder = openProject('servers', '12');
      if (name === 'after') said = migrate(folder);
      expect(compile(folder)).toEqual([]);
      urls.set(name, await start(folder));
    }
  });

  it('needs nothing by hand', () => {
    expect(said).toContain('2 modules, 2 tools');
    expect(said).not.toContain('To do by hand');
  });

  it.each(['before', 'after'])('each endpoint serves its own tools alone, %s', async (name) => {
    const base = urls.get(name) ?? '';
    const meet = (path: string): Promise<TestClient> => connect(`${base}/${path}/mcp`, { revision: '2025-06-18' });
    const [stock, orders] = [await meet('stock'), await meet('orders')];
    const namesOf = async (client: TestClient): Promise<string[]> =>
      (await client.listTools()).tools.map((tool) => tool.name);
    expect([await namesOf(stock), await namesOf(orders)]).toEqual([['in_stock'], ['order']]);
    expect(await stock.callTool('in_stock', { item: 'ladder' })).toHaveText('yes');
    expect(await orders.callTool('order', { item: 'ladder' })).toHaveText('Ordered a ladder.');
    expect(await orders.callTool('order', { item: 'rope' })).toMatchObject({ isError: true });
    await Promise.all([stock.close(), orders.close()]);
  });
});

describe('a project on @nestjs/mcp, written after its documentation', () => {
  const headers = { 'x-key': 'open' };
  let url = '';
  let said = '';

  beforeAll(async () => {
    const folder = openProject('library', '12');
    said = migrate(folder, 'nestjs-mcp');
    expect(compile(folder)).toEqual([]);
    url = `${await start(folder)}/library-mcp`;
  });

  it('needs nothing by hand, and is told what the command was written after', () => {
    expect(said).toContain('2 tools, 2 resources, 1 prompt');
    expect(said).not.toContain('To do by hand');
    expect(said).toContain('was written after the documentation of @nestjs/mcp 0.0.1, and not tried with the package');
  });

  eachRevision('serves its tools, resources and prompts', async ({ connect: meet, revision }) => {
    const client = await meet(url, { headers });
    const { tools } = await client.listTools();
    // Nobody may call move-book, so its guard hides it.
    expect(tools).toMatchObject([{ name: 'find-book', description: 'Find a book by its id' }]);
    const found = await client.callTool('find-book', { id: 'b1' });
    if (revision >= '2025-06-18') expect(found.structuredContent).toEqual({ id: 'b1', title: 'Ladders', shelf: 'A' });
    const missing = await client.callTool('find-book', { id: 'b9' });
    expect([missing.isError, textOf(missing)]).toEqual([true, 'There is no book b9.']);
    expect((await client.readResource('library://titles')).contents).toMatchObject([{ text: '["Ladders"]' }]);
    expect((await client.readResource('library://books/b1')).contents).toMatchObject([{ text: 'Ladders' }]);
    const { messages } = await client.getPrompt('recommend', { topic: 'wood' });
    expect(messages).toMatchObject([{ content: { text: 'Recommend a book on wood.' } }]);
  });

  it('keeps the guard in front of the endpoint', async () => {
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
  });
});
