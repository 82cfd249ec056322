/** `sigil dev --record` and `sigil replay`: what clients did with one version is tried with the next. */
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { CLI } from './dev-project';
import { sigil, type Ran } from './terminal';

jest.setTimeout(120_000);

const root = join(__dirname, '..', '..', '..');
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sigil-replay-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'shelf', version: '1.0.0', main: 'server.js' }));
});
afterEach(() => rmSync(folder, { recursive: true }));

const FIND = `tool('findBook', { description: 'Finds a book', readOnly: true,
  input: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] } },
  ({ title }) => ({ title, year: 1815, shelf: { floor: 2 } }))`;
const ORDER = `tool('orderBook', { description: 'Orders a book',
  input: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] } },
  ({ title }) => { require('node:fs').appendFileSync(__dirname + '/orders', title); return 'ordered'; })`;
const HOURS = `resource('shop://hours', { name: 'hours' }, () => '9 to 5')`;

/** Writes the server. */
function define(...features: string[]): void {
  writeFileSync(
    join(folder, 'server.js'),
    `const { createServer, resource, tool } = require('@sigil-mcp/core');
const { StdioTransport } = require('@sigil-mcp/core/stdio');
exports.server = createServer({ name: 'shelf', version: '1.0.0', logger: false, features: [${features.join(',\n')}] });
if (require.main === module) exports.server.listen(new StdioTransport());
`,
  );
}

/** Uses the server as a client does, with `sigil dev --record`. */
async function record(): Promise<void> {
  define(FIND, ORDER, HOURS);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, 'dev', 'server.js', '--no-page', '--record', 'calls.jsonl'],
    cwd: folder,
    stderr: 'ignore',
  });
  const client = new Client({ name: 'developer', version: '1' });
  await client.connect(transport);
  await client.callTool({ name: 'findBook', arguments: { title: 'Emma' } });
  await client.callTool({ name: 'findBook', arguments: { title: 'Emma' } });
  await client.callTool({ name: 'findBook', arguments: { title: 7 } }).catch(() => undefined);
  await client.callTool({ name: 'orderBook', arguments: { title: 'Emma' } });
  await client.callTool({ name: 'nothing', arguments: {} }).catch(() => undefined);
  await client.readResource({ uri: 'shop://hours' });
  await client.close();
}

const replay = (...words: string[]): Promise<Ran> => sigil(['replay', 'calls.jsonl', ...words], { cwd: folder });
const orders = (): string => readFileSync(join(folder, 'orders'), 'utf8');

it('records what clients call, and finds nothing in the same server', async () => {
  await record();
  const calls = readFileSync(join(folder, 'calls.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(calls).toHaveLength(5);
  expect(calls[0]).toMatchObject({
    v: 1,
    method: 'tools/call',
    entry: 'findBook',
    params: { name: 'findBook', arguments: { title: 'Emma' } },
    outcome: 'result',
    result: { title: 'Emma', year: 1815, shelf: { floor: 2 } },
  });
  const { status, stdout, stderr } = await replay();
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toBe(
    [
      '4 recorded calls, and 1 more like these: 1 not run, 3 answered as before.',
      '  1 not run: the tool is not read-only, and takes the arguments',
      '',
    ].join('\n'),
  );
  expect(orders()).toBe('Emma');
  expect((await replay('--all')).stdout).toContain('4 answered as before.');
  expect(orders()).toBe('EmmaEmma');
});

it('names the calls that would fail, be refused, find no tool, or have another form', async () => {
  await record();
  define(
    FIND.replace("required: ['title']", "required: ['title', 'language']"),
    ORDER.replace("required: ['title']", "required: ['title', 'customer']"),
    HOURS,
  );
  const broken = await replay();
  expect(broken.status).toBe(1);
  expect(broken.stdout).toMatch(/^fails findBook \{"title":"Emma"\} line 1\n {2}.*language/m);
  expect(broken.stdout).toMatch(/^refused orderBook \{"title":"Emma"\} line 4\n {2}.*customer/m);
  define(FIND.replace('shelf: { floor: 2 }', "shelf: 'second floor'"));
  const changed = await replay();
  expect(changed.status).toBe(1);
  expect(changed.stdout).toContain('form findBook {"title":"Emma"} line 1\n  /shelf was an object, and is a string\n');
  expect(changed.stdout).toContain('gone orderBook');
  expect(changed.stdout).toMatch(/fails shop:\/\/hours/);
});

it('passes other values, unless it is strict, and says them as JSON, too', async () => {
  await record();
  define(FIND.replace('1815', '1816'), ORDER, HOURS);
  const lenient = await replay();
  expect(lenient.status).toBe(0);
  expect(lenient.stdout).toContain('  /year was 1815, and is 1816\n');
  expect((await replay('--strict')).status).toBe(1);
  const { calls } = JSON.parse((await replay('--json')).stdout) as { calls: { verdict: string; details: string[] }[] };
  expect(calls.map(({ verdict }) => verdict)).toEqual(['values', 'same', 'skipped', 'same']);
});

it('says what is wrong with a file', async () => {
  define(FIND);
  expect(await replay()).toMatchObject({ status: 1, stderr: expect.stringContaining('SIGIL_REPLAY_FILE') as string });
  writeFileSync(join(folder, 'calls.jsonl'), '');
  expect(await replay()).toMatchObject({ status: 2, stderr: expect.stringContaining('SIGIL_REPLAY_EMPTY') as string });
  writeFileSync(join(folder, 'calls.jsonl'), '{"v":1}\n{}\n');
  expect(await replay()).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('Line 1 of calls.jsonl') as string,
  });
  const unwritable = await sigil(['dev', 'server.js', '--record', join('no', 'folder')], { cwd: folder });
  expect(unwritable.stderr).toContain('SIGIL_RECORD_FILE');
});
