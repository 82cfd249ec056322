/** `sigil check`: the budget of a server, and the rules for its definitions. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sigil, type Ran } from './terminal';

jest.setTimeout(120_000);

const root = join(__dirname, '..', '..', '..');
const apps = join(root, 'apps');
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sigil-check-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'shelf', version: '1.0.0', main: 'server.js' }));
  mkdirSync(join(folder, 'dist'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Writes a server: its provider would fail if it was built. */
function define(description: string, options = ''): void {
  writeFileSync(
    join(folder, 'server.js'),
    `const { createServer, tool } = require('@sigil-mcp/core');
class Broken { onStart() { throw new Error('started'); } }
exports.server = createServer({
  name: 'shelf', version: '1.0.0', logger: false, providers: [Broken], instructions: 'Finds books.',
  features: [tool('findBook', { description: ${JSON.stringify(description)}, readOnly: true, ${options} }, () => '')],
});`,
  );
}

const run = (...words: string[]): Promise<Ran> => sigil(['check', ...words], { cwd: folder });

it('finds nothing wrong with a sound definition, and starts no provider', async () => {
  define('Finds the books with a word in their title.');
  const { status, stdout, stderr } = await run();
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^shelf: 1 tool, \d+ tokens, no findings\.\n$/);
});

it('names what breaks a rule, with its code and its fix', async () => {
  define('IMPORTANT: finds the books\u200b of a shelf.');
  const { status, stdout } = await run();
  expect(status).toBe(1);
  expect(stdout).toMatch(/^shelf: 1 tool, \d+ tokens, 1 error, 1 warning\.\n/);
  expect(stdout).toContain('\nerror  No text has characters that a person does not see [hidden-characters, E001]\n');
  expect(stdout).toContain('  findBook: the description has U+200B, which a model reads and a person does not see');
  expect(stdout).toContain('  → Remove it; write the text again by hand if it was pasted.\n');
  expect((await run('--allow', 'E001,pressing-words')).status).toBe(0);
});

it('fails over a budget, and names what costs most and how much to cut', async () => {
  define(`Finds the books ${'with any of the words that a reader remembers, '.repeat(20)} in their title.`);
  const { status, stdout } = await run('--budget', '100');
  expect(status).toBe(1);
  expect(stdout).toMatch(/\nbudget {2}2\d\d of 100 tokens for callers "everybody" \(1 tool\): cut 1\d\d\n/);
  expect(stdout).toContain('  The tools that cost most: findBook 2');
  expect(stdout).toMatch(/ 2\d\d {2}findBook, description +"Finds the books with any/);
  expect((await run('--budget', '1000')).status).toBe(0);
  const markdown = await run('--budget', '100', '--format', 'markdown');
  expect(markdown.stdout).toMatch(/^### shelf: 1 tool, .+\n\n\*\*2\d\d of 100 tokens for callers "everybody"/);
});

it('is a check of sigil doctor, once the program can be loaded', async () => {
  define('Finds');
  const { status, stdout } = await sigil(['doctor'], { cwd: folder });
  expect(status).toBe(1);
  expect(stdout).toContain(
    '✗ Definitions are clear and safe\n    findBook: its description says little more than its name: "Finds".\n',
  );
  define('Finds the books with a word in their title.');
  expect((await sigil(['doctor'], { cwd: folder })).stdout).toContain('✓ Definitions are clear and safe\n');
  writeFileSync(join(folder, 'server.js'), 'throw new Error("broken")');
  expect((await sigil(['doctor'], { cwd: folder })).stdout).not.toContain('Definitions are clear');
});

it('is JSON for programs, and has the place of a definition in the sources', async () => {
  const { status, stdout } = await sigil(['check', '--format', 'json'], { cwd: join(apps, 'library') });
  const report = JSON.parse(stdout) as { ok: boolean; cost: { entries: object[] }; findings: object[] };
  expect([status, report.ok]).toEqual([0, true]);
  expect(report.cost.entries).toContainEqual(
    expect.objectContaining({ key: 'getBook', place: expect.stringMatching(/^src\/.+\.ts:\d+:\d+$/) as unknown }),
  );
  expect(report.findings).toContainEqual(expect.objectContaining({ severity: 'hint', entry: 'lend' }));
});

it('checks any server that a command starts', async () => {
  define('Finds');
  const serve = join(folder, 'serve.js');
  writeFileSync(
    serve,
    `const { createServer, tool } = require('@sigil-mcp/core'); const { StdioTransport } = require('@sigil-mcp/core/stdio');
void createServer({ name: 'other', version: '1', logger: false, features: [tool('ping', { description: 'Pings' }, () => '')] }).listen(new StdioTransport());`,
  );
  const { status, stdout } = await run('--', 'node', serve);
  expect(status).toBe(1);
  expect(stdout).toContain('  ping: its description says little more than its name: "Pings"\n');
});

it('says what hosts refuse, and fails where it is asked for one that does', async () => {
  const check = (...words: string[]) => sigil(['check', ...words], { cwd: join(apps, 'library') });
  const refused = /addBook: the schema has uniqueItems at \/inputSchema\/properties\/tags \(Gemini, Vertex AI\)/;
  expect(await check()).toMatchObject({ status: 0, stdout: expect.stringMatching(refused) });
  expect(await check('--hosts', 'gemini')).toMatchObject({ status: 1, stdout: expect.stringMatching(refused) });
  expect(await check('--hosts', 'claude')).toMatchObject({ status: 0, stdout: expect.not.stringMatching(refused) });
});

it('refuses a budget and a rule that it does not know', async () => {
  define('Finds the books with a word in their title.');
  expect(await run('--budget', 'few')).toMatchObject({ status: 2, stderr: expect.stringContaining('such as 8000') });
  expect(await run('--allow', 'W999')).toMatchObject({ status: 2, stderr: expect.stringContaining('silent-argument') });
  expect(await run('--hosts', 'clippy')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('No host is called "clippy". Available: claude, '),
  });
  expect((await run('--hosts', 'claude,gemni')).stderr).toContain('No host is called "gemni". Did you mean gemini?');
});

// The definitions of `everything` are those that the conformance suite asks for.
it.each(['approvals', 'charts', 'files', 'library', 'rest', 'secured', 'weather'])(
  'has nothing to report about apps/%s',
  async (app) => {
    const hosts = 'claude,chatgpt,copilot,cursor,codex';
    const { status, stdout } = await sigil(['check', '--budget', '2000', '--hosts', hosts], { cwd: join(apps, app) });
    expect([stdout, status]).toEqual([expect.not.stringMatching(/\n(?:error|warning) {2}/), 0]);
  },
);
