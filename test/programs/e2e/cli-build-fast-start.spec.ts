/** A bundle with what a start would compute: the schemas of classes, and the code that V8 has compiled. And what is said where that does not fit. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sigil } from './terminal';

jest.setTimeout(150_000);

/** Calls of functions in the whole bundle at a start with three tools, and for each tool more with a DTO of four properties, as counted last. */
const FEW = 7950;
const EACH = 385;

// Far from any node_modules.
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sigil-fast-start-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fixture = (name: string): string => join(__dirname, 'fixtures', name);
const revision = '2025-11-25';
const params = { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'test', version: '1' } };
const request = (id: number, method: string, given: object = {}): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params: given })}\n`;
const opening = request(1, 'initialize', params);

interface Run {
  readonly answers: readonly unknown[];
  readonly stderr: string;
  /** Whether V8 refused the stored code; undefined if it was not given any. */
  readonly rejected: boolean | undefined;
}

/** Starts a server over stdio, sends it these lines, and reads what it writes until it ends. */
function run(file: string, input = opening, options: readonly string[] = []): Run {
  const told = join(folder, 'rejected.json');
  const watch = join(folder, 'watch.cjs');
  writeFileSync(
    watch,
    `const vm = require('node:vm'), { Script } = vm;
    vm.Script = class extends Script {
      constructor(...all) {
        super(...all);
        const { cachedDataRejected: rejected } = this;
        require('node:fs').writeFileSync(${JSON.stringify(told)}, JSON.stringify({ rejected }));
      }
    };`,
  );
  const { stdout, stderr } = spawnSync(process.execPath, [...options, '--require', watch, file], {
    input,
    encoding: 'utf8',
    env: { ...process.env, SIGIL_TEST_TOOLS: '3' },
  });
  const answers = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);
  return { answers, stderr, ...(JSON.parse(readFileSync(told, 'utf8')) as { rejected: boolean | undefined }) };
}

/** Builds the server with so many tools. */
async function build(tools: number, ...words: string[]): Promise<string> {
  const out = join(folder, `${words.join('')}${tools}`, 'main.cjs');
  process.env['SIGIL_TEST_TOOLS'] = String(tools);
  const built = await sigil(['build', fixture('start-server.cjs'), ...words, '--out', out]);
  expect(built).toMatchObject({ status: 0, stderr: '' });
  return out;
}

const opened = { id: 1, result: { protocolVersion: revision } };

describe('sigil build --fast-start', () => {
  let out: string;
  beforeAll(async () => {
    out = await build(3, '--fast-start');
  });

  it('makes a server that starts with the stored code, and lists and calls as before', () => {
    expect(readdirSync(dirname(out)).sort()).toEqual([
      'main.cjs',
      'main.code.cjs',
      'main.code.cjs.cache',
      'main.code.cjs.map',
    ]);
    const call = (id: number, args: object): string =>
      request(id, 'tools/call', { name: 'look_up_0_1', arguments: args });
    const initialized = `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`;
    const lines = [opening, initialized, request(2, 'tools/list'), call(3, { query: 'a', mode: 'fast' }), call(4, {})];
    const { answers, ...rest } = run(out, lines.join(''));
    expect(rest).toEqual({ stderr: '', rejected: false });
    expect(answers).toMatchObject([
      opened,
      { id: 2, result: { tools: [{ inputSchema: { required: ['query', 'mode'] } }, {}, {}] } },
      { id: 3, result: { content: [{ text: 'a' }] } },
      { id: 4, result: { isError: true } },
    ]);
  });

  it('warns of stored code that another version of V8 or other flags have made, and answers', () => {
    const { answers, stderr, rejected } = run(out, opening, ['--no-opt']);
    expect({ answers, rejected }).toMatchObject({ answers: [opened], rejected: true });
    expect(stderr).toContain('SIGIL_CODE_CACHE_STALE');
    expect(stderr).toContain(`Node ${process.version} has compiled it`);
  });

  it('warns of stored code that belongs to another bundle, and does not run it', () => {
    const code = join(dirname(out), 'main.code.cjs');
    const text = readFileSync(code, 'utf8');
    // V8 itself compares only the lengths.
    writeFileSync(code, text.replace('2025-11-25', '2025-11-26').replace('2025-11-25', '2025-11-25'));
    const { answers, stderr, rejected } = run(out);
    writeFileSync(code, text);
    expect({ answers: answers.length, rejected }).toEqual({ answers: 1, rejected: undefined });
    expect(stderr).toContain('main.code.cjs.cache belongs to another main.code.cjs');
  });

  it.each([
    ['is missing', (cache: string) => rmSync(cache), 'cannot be read (ENOENT)'],
    ['is no stored code', (cache: string) => writeFileSync(cache, 'of somebody else'), 'belongs to another'],
  ])('warns of a file that %s, and answers', (_, change, said) => {
    const cache = join(dirname(out), 'main.code.cjs.cache');
    const bytes = readFileSync(cache);
    change(cache);
    const { answers, stderr } = run(out);
    writeFileSync(cache, bytes);
    expect(answers).toMatchObject([opened]);
    expect(stderr).toContain(said);
    expect(stderr).toContain('Run sigil build with the version of Node that runs the bundle');
  });

  it('makes no more calls at a start than it did, with three tools and for each tool more', async () => {
    const many = await build(103, '--fast-start');
    const [few, more] = [callsOf(out), callsOf(many, 103)];
    expect(few).toBeLessThan(FEW * 1.1);
    expect((more - few) / 100).toBeLessThan(EACH * 1.1);
  });
});

/** The calls of functions in the bundle until it has answered. */
function callsOf(file: string, tools = 3): number {
  const work = join(folder, 'work.json');
  const { stdout } = spawnSync(process.execPath, ['--require', fixture('count-work.cjs'), file], {
    input: opening,
    encoding: 'utf8',
    env: { ...process.env, SIGIL_TEST_TOOLS: String(tools), SIGIL_TEST_WORK: work },
  });
  expect(JSON.parse(stdout)).toMatchObject(opened);
  return (JSON.parse(readFileSync(work, 'utf8')) as { calls: { bundle: number } }).calls.bundle;
}

describe('sigil build --code-cache', () => {
  const program = (files: Readonly<Record<string, string>>): string => {
    const root = mkdtempSync(join(folder, 'program-'));
    for (const [name, text] of Object.entries({ 'package.json': '{ "name": "small", "type": "module" }', ...files })) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    }
    return root;
  };
  const stdoutOf = (file: string): string => spawnSync(process.execPath, [file], { encoding: 'utf8' }).stdout;

  it('makes a script of an ES module that knows its own place, and can be run as a program', async () => {
    const root = program({
      'main.js': `#!/usr/bin/env node
        import { readFileSync } from 'node:fs';
        const read = (name) => readFileSync(new URL(name, import.meta.url), 'utf8');
        console.log(read('./words.txt'), import.meta.dirname === new URL('.', import.meta.url).pathname.slice(0, -1));
        const name = 'node:os';
        import(name).then(({ EOL }) => console.log(EOL.length));`,
    });
    const out = join(root, 'bundle', 'main.cjs');
    mkdirSync(dirname(out));
    writeFileSync(join(root, 'bundle', 'words.txt'), 'some words');
    const built = await sigil(['build', join(root, 'main.js'), '--code-cache']);
    expect(built).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('run it: node ') });
    expect(readFileSync(out, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n'use strict';\n/);
    expect(stdoutOf(out)).toBe('some words true\n1\n');
  });

  it('runs as the main program, also while it is built', async () => {
    const root = program({
      'main.cjs': "require('node:fs').appendFileSync(__dirname + '/runs', `${require.main === module} `);",
    });
    const out = join(root, 'main.out.cjs');
    expect(await sigil(['build', join(root, 'main.cjs'), '--code-cache', '--out', out])).toMatchObject({ status: 0 });
    expect(stdoutOf(out)).toBe('');
    expect(readFileSync(join(root, 'runs'), 'utf8')).toBe('true true ');
  });

  it('says what the program printed that does not start', async () => {
    const root = program({ 'main.cjs': "throw new Error('no token is set');" });
    const failed = await sigil(['build', join(root, 'main.cjs'), '--code-cache']);
    expect(failed).toMatchObject({ status: 1, stderr: expect.stringContaining('no token is set') });
    expect(failed.stderr).toContain('SIGIL_BUILD_CODE_CACHE');
  });

  it.each([
    ['for Workers', ['--target', 'worker']],
    ['as an ES module', ['--out', 'main.mjs']],
  ])('refuses a bundle %s', async (_, words) => {
    const refused = await sigil(['build', fixture('start-server.cjs'), '--fast-start', ...words]);
    expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining('SIGIL_BUILD_CACHE_TARGET') });
  });
});
