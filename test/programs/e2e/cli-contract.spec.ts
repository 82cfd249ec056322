/** `sigil contract`: the file of a project, and what it says of changes. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sigil, type Ran } from './terminal';

jest.setTimeout(120_000);

const root = join(__dirname, '..', '..', '..');
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sigil-contract-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'shelf', version: '1.0.0', main: 'server.js' }));
  mkdirSync(join(folder, 'dist'));
  define("{ type: 'object', properties: { title: { type: 'string' } } }");
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Writes the server: its provider would fail, and its file says when it runs. */
function define(input: string, { version = '1.0.0', start = '' } = {}): void {
  writeFileSync(
    join(folder, 'server.js'),
    `const { createServer, tool } = require('@sigil-mcp/core');
class Broken { onStart() { throw new Error('started'); } }
exports.server = createServer({
  name: 'shelf', version: '${version}', logger: false, providers: [Broken],
  features: [tool('findBook', { description: 'Finds a book', input: ${input} }, () => '')],
});
${start}`,
  );
}

const run = (...words: string[]): Promise<Ran> => sigil(['contract', ...words], { cwd: folder });
const git = (...words: string[]): void => {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], { cwd: folder, env });
};
const NARROW = "{ type: 'object', properties: { title: { type: 'string', maxLength: 9 } }, required: ['title'] }";

it('writes the file of a project, and finds no change then', async () => {
  const written = await run();
  expect([written.status, written.stderr, written.stdout]).toEqual([
    0,
    '',
    'sigil.lock.json has 1 entry in 5 revisions. Commit it.\n',
  ]);
  const contract = JSON.parse(readFileSync(join(folder, 'sigil.lock.json'), 'utf8')) as object;
  expect(contract).toMatchObject({
    contract: 1,
    server: { name: 'shelf', version: '1.0.0' },
    entries: { tool: { findBook: {} } },
  });
  expect(await run('check')).toMatchObject({ status: 0, stdout: 'The contract has not changed.\n' });
});

it('names what breaks, and the version that it asks for', async () => {
  await run();
  define(NARROW);
  const { status, stdout, stderr } = await run('check');
  expect(status).toBe(1);
  expect(stdout).toBe(
    [
      'breaking    findBook: title is required now',
      'breaking    findBook: title: a length of at most 9 (was any)',
      '',
      '2 breaking. After 1.0.0 they ask for version 2.0.0, but the server has 1.0.0.',
      '',
    ].join('\n'),
  );
  expect(stderr).toContain('write it with npx sigil contract');
  expect((await run('check', '--allow', 'breaking')).status).toBe(0);
  expect((await run('check', '--allow', 'all')).status).toBe(2);
});

it('lets a change pass whose version is the one that it asks for', async () => {
  await run();
  define(NARROW, { version: '2.0.0' });
  expect(await run('check')).toMatchObject({ status: 0, stdout: expect.stringContaining('and the server has 2.0.0') });
});

it('compares with a commit, as Markdown and as JSON', async () => {
  await run();
  git('init', '--quiet');
  git('add', 'sigil.lock.json');
  git('commit', '--quiet', '--message', 'The contract');
  define(NARROW);
  await run();
  expect((await run('check')).status).toBe(0);
  const markdown = await run('check', '--against', 'HEAD', '--format', 'markdown');
  expect([markdown.status, markdown.stdout.split('\n')[0]]).toEqual([1, '### Breaking (2)']);
  const { stdout } = await run('check', '--against', 'HEAD', '--format', 'json');
  expect(JSON.parse(stdout)).toMatchObject({
    asked: '2.0.0',
    isFine: false,
    changes: [{ code: 'input-required' }, {}],
  });
  const none = await run('check', '--against', 'elsewhere');
  expect([none.status, none.stderr]).toEqual([2, expect.stringContaining('There is no contract at elsewhere')]);
  const option = await run('check', '--against=--output=hurt');
  expect([option.status, existsSync(join(folder, 'hurt'))]).toEqual([2, false]);
});

it('has nothing to compare with in a commit that has no contract yet', async () => {
  git('init', '--quiet');
  git('add', 'package.json');
  git('commit', '--quiet', '--message', 'No contract');
  await run();
  const first = await run('check', '--against', 'HEAD');
  expect([first.status, first.stdout]).toEqual([0, 'There is no contract to compare with: this is the first one.\n']);
  const { stdout } = await run('check', '--against', 'HEAD', '--format', 'json');
  expect(JSON.parse(stdout)).toEqual({ isFine: true, isFirst: true, changes: [] });
  expect((await run('check', '--against', 'elsewhere')).status).toBe(2);
});

it('compares with an address and with another file', async () => {
  await run('--file', 'old.json');
  const text = readFileSync(join(folder, 'old.json'), 'utf8');
  const web: Server = createServer((request, response) => {
    response.statusCode = request.url === '/there' ? 200 : 404;
    response.end(text);
  }).listen(0, '127.0.0.1');
  await once(web, 'listening');
  const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  expect((await run('check', '--against', `${url}/there`)).status).toBe(0);
  const gone = await run('check', '--against', `${url}/gone`);
  expect([gone.status, gone.stderr]).toEqual([1, expect.stringContaining('it answered with status 404')]);
  web.close();
  expect((await run('check', '--against', 'old.json')).status).toBe(0);
  writeFileSync(join(folder, 'old.json'), '[]');
  const odd = await run('check', '--against', 'old.json');
  expect([odd.status, odd.stderr]).toEqual([1, expect.stringContaining('is not a contract')]);
});

it('describes a program that starts its server, which does not start for it', async () => {
  define("{ type: 'object' }", {
    start: `const { MemoryTransport } = require('@sigil-mcp/core');
exports.server.listen(new MemoryTransport()).then(() => { throw new Error('listens'); });
const { server } = exports; exports.server = undefined; void server;`,
  });
  expect(await run()).toMatchObject({ status: 0, stderr: '' });
});

it.each([
  ['has no server', 'exports.other = 1;', 4, 'defines no server: it exports none, and starts none'],
  ['fails', "throw new Error('no database');", 4, 'no database'],
])('says why a program %s', async (_, text, status, words) => {
  writeFileSync(join(folder, 'server.js'), text);
  const ran = await run();
  expect([ran.status, ran.stderr]).toEqual([status, expect.stringContaining(words)]);
  expect(existsSync(join(folder, 'sigil.lock.json'))).toBe(false);
});

it('needs a file to compare with, and the program of the server', async () => {
  const missing = await run('check');
  expect([missing.status, missing.stderr]).toEqual([2, expect.stringContaining('There is no contract')]);
  const address = await run('write', 'http://127.0.0.1:1/mcp');
  const unchecked = await run('write', '--against', 'HEAD');
  expect([unchecked.status, unchecked.stderr]).toEqual([
    2,
    expect.stringContaining('--against is an option of a check'),
  ]);
  expect([address.status, address.stderr]).toEqual([2, expect.stringContaining('is read from its program')]);
});

/** The apps of this repository that have a contract. */
const APPS = ['approvals', 'charts', 'everything', 'files', 'library', 'rest', 'secured', 'weather'];

it.each(APPS)(
  'has the contract of the app %s as its file says: if not, run sigil contract in its folder',
  async (app) => {
    const out = join(folder, `${app}.json`);
    const cwd = join(root, 'apps', app);
    expect(await sigil(['contract', '--file', out], { cwd })).toMatchObject({ status: 0 });
    const text = readFileSync(out, 'utf8');
    expect(text).toBe(readFileSync(join(cwd, 'sigil.lock.json'), 'utf8'));
    if (app === 'secured') return;
    const { stdout } = await sigil(['inspect', '--json'], { cwd });
    const { tools } = JSON.parse(stdout) as { tools: readonly { name: string }[] };
    const { entries } = JSON.parse(text) as { entries: { tool: Readonly<Record<string, { definition: object }>> } };
    for (const tool of tools) expect(entries.tool[tool.name]?.definition).toEqual(tool);
    expect(tools).toHaveLength(Object.keys(entries.tool).length);
  },
);
