/** `sigil inspect` against servers of ours, of others, and against what is no server. */
import { ManualClock } from '@sigil-mcp/testing';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtApp } from './built-app';
import { HttpApp } from './http-app';
import { sigil, type Ran } from './terminal';

// Programs that do not want to end are given time; compilers take theirs.
jest.setTimeout(150_000);

const root = join(__dirname, '..', '..', '..');
const weather = builtApp('weather');
const sdk1 = join(__dirname, 'fixtures', 'official-sdk-1-server.mjs');

describe('what a model will see', () => {
  it('is a table for people, at a width that a file can hold', async () => {
    const { status, stdout, stderr } = await sigil(['inspect', weather]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain(
      [
        'Tools (3)',
        '  forecast · Outlook for a city  [read-only, idempotent]',
        '    What the weather is normally like in a city on the coming days (or from a given date on): the',
        '    mean of many years for each day, not a prediction of this one.',
        '    takes',
        '      city  string   required  City name, for example "Oslo" (2 to 60 characters)',
        '      days  integer  = 3       How many days, counted from the first one (from 1 to 14)',
      ].join('\n'),
    );
    expect(stdout).toContain('Weather of the world 0.1.0 (weather)\n  speaks  2026-07-28');
    expect(stdout).toContain('  weather://{city}/climate · Climate of a city  application/json');
    expect(stdout).toMatch(/^ {6}month +"January" \| "February" +required +Name of the month, for example "May"$/m);
    expect(stdout).not.toContain('\u001b');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  });

  it('is everything as JSON with --json', async () => {
    const { status, stdout } = await sigil(['inspect', weather, '--json']);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      server: { name: 'weather', version: '0.1.0' },
      instructions: expect.stringContaining('Climate normals'),
      revisions: { spoken: '2026-07-28' },
      capabilities: { tools: {}, resources: {}, prompts: {} },
      tools: [{ name: 'forecast', inputSchema: { required: ['city'] } }, {}, {}],
      resourceTemplates: [{ uriTemplate: 'weather://{city}/climate' }],
    });
  });

  it('is seen over HTTP too, and over HTTP+SSE where there is nothing else', async () => {
    const app = await HttpApp.start('everything');
    const [streamable, sse] = await Promise.all([
      sigil(['inspect', app.url, '--json']),
      sigil(['inspect', new URL('/sse', app.url).href, '--json']),
    ]);
    await app.stop();
    expect(JSON.parse(streamable.stdout)).toMatchObject({ revisions: { spoken: '2026-07-28' } });
    expect(JSON.parse(sse.stdout).tools.length).toBe(JSON.parse(streamable.stdout).tools.length);
  });

  it.each([
    ['a file', [sdk1]],
    ['a command after --', ['--', process.execPath, sdk1]],
    ['a command in quotes', [`"${process.execPath}" '${sdk1}'`]],
  ])('is seen of a server of the official SDK 1: %s', async (_, target) => {
    const { status, stdout } = await sigil(['inspect', ...target]);
    expect(status).toBe(0);
    expect(stdout).toContain('sdk-1 1.0.0\n  speaks  2025-11-25');
    expect(stdout).toContain('      days  integer  = 3       from 1 to 14');
  });
});

describe('a project of TypeScript', () => {
  let folder: string;

  beforeEach(() => {
    // Beside the packages, which the program imports by name.
    mkdirSync(join(root, 'node_modules', '.cache'), { recursive: true });
    folder = mkdtempSync(join(root, 'node_modules', '.cache', 'inspect-'));
    mkdirSync(join(folder, 'src'));
    writeFileSync(join(folder, 'package.json'), '{ "name": "small", "version": "3.2.1" }');
    writeFileSync(join(folder, 'tsconfig.json'), '{ "extends": "../../../tsconfig.base.json" }');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const source = (argument: string): string => `
    import '@sigil-mcp/core/stdio/guard';
    import 'reflect-metadata';
    import { createServer, Feature, Tool } from '@sigil-mcp/core';
    import { StdioTransport } from '@sigil-mcp/core/stdio';
    import { IsInt } from 'class-validator';
    import { readFileSync } from 'node:fs';
    import { join } from 'node:path';
    class Input { @IsInt() ${argument}!: number }
    @Feature() class Numbers { @Tool('Twice') twice(input: Input): number { return input.${argument} * 2; } }
    const { version } = JSON.parse(readFileSync(join(__dirname, '..', 'package.json'), 'utf8'));
    void createServer({ name: 'small', version, features: [Numbers] }).listen(new StdioTransport());
  `;
  const write = (text: string): void => writeFileSync(join(folder, 'src', 'main.ts'), text);

  it('is compiled with its decorators, and found from its folder', async () => {
    write(source('first'));
    const before = await sigil(['inspect'], { cwd: folder });
    expect(before).toMatchObject({
      stderr: '',
      status: 0,
      stdout: expect.stringMatching(/^small 3\.2\.1\n[^]*first {2}integer/),
    });
    write(source('second'));
    const after = await sigil(['inspect', join(folder, 'src', 'main.ts')]);
    expect(after.stdout).toMatch(/second {2}integer/);
    expect((await sigil(['call', '.', 'twice', 'second=21'], { cwd: folder })).stdout).toBe('42\n');
  });

  it('that does not compile says where, and shows the line', async () => {
    write('const a: number = "x";\nexport const b = a.length;\n');
    const { status, stderr } = await sigil(['inspect'], { cwd: folder });
    expect(status).toBe(4);
    expect(stderr).toContain('does not compile. [SIGIL_PROJECT_ERRORS]\nFix 2 errors from the compiler:\n');
    expect(stderr).toContain("src/main.ts:1:7 Type 'string' is not assignable to type 'number'. TS2322");
    expect(stderr).toContain('    1 | const a: number = "x";\n      |       ^');
  });

  it('without TypeScript is told what to install', async () => {
    const bare = mkdtempSync(join(tmpdir(), 'sigil-'));
    writeFileSync(join(bare, 'main.ts'), '');
    const { status, stderr } = await sigil(['inspect', 'main.ts'], { cwd: bare });
    rmSync(bare, { recursive: true });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining(
        'has no TypeScript. [SIGIL_PROJECT_COMPILER]\nInstall it there with npm install --save-dev typescript',
      ),
    });
  });
});

describe('a target that is no MCP server', () => {
  let folder: string;
  let web: Server;
  let address: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sigil-'));
    const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
    write('rubbish.js', `console.log('\\u001b[31mHello'); console.error('printed'); setInterval(() => {}, 1000);`);
    write('greeting.js', `console.log('Hello');`);
    write('silent.js', `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); // ${folder}`);
    write('crash.js', `console.error('There is no database.'); process.exit(3);`);
    write('empty.js', '');
    web = createServer((request, response) => {
      response.statusCode = request.url === '/secret' ? 401 : request.method === 'GET' ? 200 : 405;
      // No connection is kept, so that the port is closed once the server is.
      response.setHeader('connection', 'close').setHeader('content-type', 'text/html').end('<h1>Hello</h1>');
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => web.once('listening', resolve));
    address = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    web.close();
    rmSync(folder, { recursive: true });
  });

  const inspect = (...args: string[]): Promise<Ran> => sigil(['inspect', ...args], { cwd: folder });

  it.each([
    [
      'a program that prints rubbish and ends',
      ['greeting.js'],
      'it printed "Hello" to stdout, where only messages may go.',
    ],
    [
      'a program that says nothing',
      ['--timeout', '1', 'silent.js'],
      'did not answer as an MCP server within 1 second.',
    ],
    ['a program that fails', ['crash.js'], 'ended (status 3) before it answered as an MCP server.'],
    ['a program that does nothing', ['empty.js'], 'it does not export a server and does not start one.'],
    ['a file that is not there', ['none.js'], 'There is no file "none.js".'],
    ['a command that is not there', ['--', 'no-such-command', 'x'], 'There is no such command: no-such-command.'],
    ['a command that a shell does not find', ['--', 'sh', '-c', 'no-such-command'], 'There is no such command'],
    ['a port that nobody listens on', ['http://127.0.0.1:9/mcp'], 'The connection to 127.0.0.1:9 failed'],
    ['a host that is not there', ['http://no-host.invalid/mcp'], 'The host no-host.invalid was not found.'],
  ])('is told apart: %s', async (_, args, sentence) => {
    const { status, stdout, stderr } = await inspect(...args);
    expect({ status, stdout }).toEqual({ status: 4, stdout: '' });
    expect(stderr).toContain(sentence);
    expect(stderr).not.toContain('    at ');
    expect(stderr).not.toContain('\u001b');
    expect(stderr.trimEnd().split('\n').length).toBeGreaterThanOrEqual(2);
  });

  it('is told apart: a program that prints rubbish', async () => {
    const clock = new ManualClock();
    const onStderr = (text: string): void => void (text.includes('printed') && clock.advance(1000));
    const args = ['inspect', '--timeout', '1', '--verbose', 'rubbish.js'];
    const { status, stdout, stderr } = await sigil(args, { cwd: folder, clock, onStderr });
    expect({ status, stdout }).toEqual({ status: 4, stdout: '' });
    expect(stderr).toContain('what it printed first was "Hello".');
    expect(stderr).not.toContain('\u001b');
  });

  it('is told apart: a web page, one that wants a token, and a port that was closed', async () => {
    const page = await inspect(`${address}/`);
    expect(page).toMatchObject({
      status: 4,
      stderr: expect.stringContaining('it answered with a web page (HTTP 405).'),
    });
    const secret = await inspect(`${address}/secret`);
    expect(secret).toMatchObject({
      status: 4,
      stderr: expect.stringContaining('requires authentication (HTTP 401).'),
    });
    await new Promise((resolve) => web.close(resolve));
    const gone = await inspect(`${address}/`);
    expect(gone).toMatchObject({ status: 4, stderr: expect.stringContaining('Nothing is listening at 127.0.0.1:') });
    web.listen(0, '127.0.0.1');
  });

  it('shows a server that a file exports and does not serve', async () => {
    const { status, stdout } = await inspect(builtApp('weather', 'server.js'));
    expect(status).toBe(0);
    expect(stdout).toContain('after a handshake 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05');
    expect(stdout).toContain('forecast · Outlook for a city');
  });

  it('shows the values that an argument of a prompt is completed with, also as JSON, and all revisions', async () => {
    const command = ['--', 'node', builtApp('weather')];
    expect((await inspect(...command)).stdout).toMatch(
      /month +required +Name of the month[^;]*; completes "January", "February"/,
    );
    const seen = JSON.parse((await inspect('--json', ...command)).stdout) as Record<string, unknown>;
    expect(seen).not.toHaveProperty('declared');
    expect(seen).toMatchObject({
      revisions: {
        spoken: '2026-07-28',
        offered: ['2026-07-28'],
        handshake: ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
      },
      suggestions: { planTrip: { month: expect.arrayContaining(['January', 'December']) as unknown } },
    });
  });

  it('shows what only the code of a local project says: types and defaults of prompts, variables of templates', async () => {
    const { stdout } = await inspect(builtApp('weather', 'server.js'));
    expect(stdout).toMatch(/month +"January" \| "February" +required +Name of the month, for example "May"\n/);
    expect(stdout).toMatch(/days +integer += 7 +How many days the trip takes/);
    expect(stdout).toMatch(/weather:\/\/\{city\}\/climate[^]*?takes\n +city +string +required +City name/);
    expect(stdout).toMatch(/city +string +required +City name[^;]*; completes "Athens"/);
  });

  it('shows the forms of a local project that its tools ask, and the roles that its guards require', async () => {
    const approvals = builtApp('approvals', 'server.js');
    expect((await inspect(approvals)).stdout).toMatch(
      /requestPayment\n[^]*? {4}asks the user\n {6}sure +boolean += false +Yes, ask for this payment\n\n {2}decide/,
    );
    const { declared } = JSON.parse((await inspect(approvals, '--json')).stdout) as { declared: unknown[] };
    expect(declared).toContainEqual(
      expect.objectContaining({
        kind: 'tool',
        key: 'requestPayment',
        roles: [],
        asks: [
          expect.objectContaining({ properties: { sure: expect.objectContaining({ default: false }) as unknown } }),
        ],
      }),
    );
    const { stdout } = await inspect(builtApp('secured', 'server.js'));
    expect(stdout).toMatch(/purgeNotes {2}\[destructive\]\n {4}needs the role admin\n/);
  });

  it('prints everything that the program of a local project says of itself as JSON', async () => {
    const approvals = builtApp('approvals', 'server.js');
    const { description } = JSON.parse((await inspect(approvals, '--json')).stdout) as { description: unknown };
    expect(description).toMatchObject({
      revisions: expect.arrayContaining(['2026-07-28', '2024-11-05']) as unknown,
      audiences: [{ name: 'everybody', sees: expect.arrayContaining([{ kind: 'tool', key: 'decide' }]) as unknown }],
      entries: expect.arrayContaining([
        expect.objectContaining({
          key: 'decide',
          wire: expect.objectContaining({ '2024-11-05': expect.anything() as unknown }) as unknown,
          access: expect.objectContaining({ guards: ['Approvers'] }) as unknown,
          source: expect.objectContaining({ file: expect.stringMatching(/^src\/.+\.ts$/) as unknown }) as unknown,
        }),
      ]) as unknown,
    });
  });

  it('shows what each definition costs a model, of a local project and of a command', async () => {
    const local = await inspect('--cost', builtApp('approvals', 'server.js'));
    expect(local.stdout).toMatch(
      /^approvals costs [\d,]+ tokens in every conversation \(o200k_base\): instructions \d+, /,
    );
    expect(local.stdout).toMatch(/\n {2}tokens +name +description +arguments +result +entry\n/);
    expect(local.stdout).toMatch(/\nTexts that cost most\n +\d+ /);
    const foreign = await inspect('--cost', '--json', '--', 'node', builtApp('weather'));
    const cost = JSON.parse(foreign.stdout) as { audiences: { name: string; tokens: number }[]; entries: object[] };
    expect(cost.audiences).toEqual([expect.objectContaining({ name: 'this caller' })]);
    expect(cost.entries).toContainEqual(expect.objectContaining({ kind: 'tool', key: 'forecast' }));
  });

  it('shows which tools of a local project can be tasks', async () => {
    const everything = builtApp('everything', 'server.js');
    const { stdout } = await inspect(everything);
    expect(stdout).toMatch(/slow_compute\n {4}task: optional\n/);
    expect(stdout).toMatch(/failing_job\n {4}task: required\n/);
    expect(stdout).toMatch(/test_tool_with_task\n {4}task: optional, starts in its handler\n/);
    expect(stdout).not.toMatch(/greet[^\n]*\n {4}task/);
  });

  it('takes one word after -- for a command, and an echo for no server', async () => {
    const { status, stderr } = await inspect('--', 'cat');
    expect(status).toBe(4);
    expect(stderr).toContain('"cat" answered the first request with an error');
  });

  it('shows the last words of a program that failed', async () => {
    const { stderr } = await inspect('crash.js');
    expect(stderr).toContain('Look for the reason. Its last output on stderr:\n  There is no database.\n');
  });

  it('leaves no process behind, not even one that does not want to end', async () => {
    await inspect('--timeout', '1', join(folder, 'silent.js'));
    expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain(join(folder, 'silent.js'));
  });

  it('is wrong usage where it can be nothing at all', async () => {
    expect(await inspect()).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('no src/main.ts, no dist/main.js'),
    });
    expect(await inspect('ftp://example.com')).toMatchObject({ status: 2 });
    expect(await inspect('node "x')).toMatchObject({ status: 2, stderr: expect.stringContaining('not closed') });
    expect(await inspect('--no-such-option')).toMatchObject({ status: 2 });
    expect(await inspect('--timeout', 'soon', 'x')).toMatchObject({ status: 2 });
  });
});

it('sends headers with every request, and hides none of the mistakes in them', async () => {
  const heard: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    heard.push(request.headers.authorization);
    response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  await sigil(['inspect', url, '--header', 'Authorization: Bearer abc']);
  expect(heard.length).toBeGreaterThan(0);
  expect(new Set(heard.splice(0))).toEqual(new Set(['Bearer abc']));
  await sigil(['call', url, 'x', '-H', 'X-Other: 1', '-H', 'Authorization: Bearer def']);
  expect(new Set(heard)).toEqual(new Set(['Bearer def']));
  expect((await sigil(['inspect', url, '--header', 'Authorization'])).status).toBe(2);
  server.close();
});

it('takes a folder for the project in it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sigil-'));
  writeFileSync(join(folder, 'package.json'), '{ "main": "./start.js" }');
  symlinkSync(weather, join(folder, 'start.js'));
  expect(await sigil(['inspect', folder])).toMatchObject({ status: 0, stdout: expect.stringContaining('Tools (3)') });
  rmSync(folder, { recursive: true });
});
