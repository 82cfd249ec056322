/** `sigil call`, `sigil read` and `sigil prompt`, against servers of ours and of others. */
import { ManualClock } from '@sigil-mcp/testing';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtApp, isRunning } from './built-app';
import { HttpApp } from './http-app';
import { sigil, spawnSigil } from './terminal';

// Each test runs several processes one after the other.
jest.setTimeout(150_000);

const weather = builtApp('weather');
const everything = builtApp('everything');
const sdk1 = join(__dirname, 'fixtures', 'official-sdk-1-server.mjs');

/** A server of nobody's making that dies, hangs and logs on demand. */
const FRAGILE = `
import { createInterface } from 'node:readline';
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const tool = (name) => ({ name, inputSchema: { type: 'object' } });
console.error('pid ' + process.pid);
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') {
    const capabilities = { tools: {} };
    send({ id, result: { protocolVersion: params.protocolVersion, capabilities, serverInfo: { name: 'fragile', version: '1' } } });
  } else if (method === 'tools/list') send({ id, result: { tools: [tool('die'), tool('hang'), tool('refuse'), tool('chat'), tool('mumble'), tool('count')] } });
  else if (method === 'notifications/cancelled') console.error('cancelled ' + params.requestId);
  else if (params?.name === 'die') { console.error('out of memory'); process.exit(7); }
  else if (params?.name === 'hang') console.error('hanging');
  else if (params?.name === 'count') {
    const { progressToken } = params._meta;
    for (const progress of [1, 2, 3]) send({ method: 'notifications/progress', params: { progressToken, progress, total: 3 } });
    send({ id, result: { content: [] } });
  } else if (params?.name === 'chat') {
    console.log('chatter');
    send({ id, result: { content: [{ type: 'text', text: 'done' }] } });
  } else if (params?.name === 'mumble') {
    process.stdout.write('hm, ');
    send({ id, result: { content: [{ type: 'text', text: 'done' }] } });
  } else if (id !== undefined) send({ id, error: { code: -32000, message: 'Not today' } });
});
`;

let folder: string;
let fragile: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sigil-'));
  fragile = join(folder, 'fragile.mjs');
  writeFileSync(fragile, FRAGILE);
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('sigil call', () => {
  it('types arguments by the schema and prints the text of the result', async () => {
    const { status, stdout } = await sigil([
      'call',
      weather,
      'compareCities',
      'cities=Oslo',
      'cities=Cairo',
      'month=July',
    ]);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ period: 'July', warmest: 'Cairo' });
  });

  it('prints the structured result with --json, and takes all arguments as JSON', async () => {
    const { status, stdout } = await sigil(['call', '--json', weather, 'forecast', '{"city":"Oslo","days":2}']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^\{\n {2}"city": "Oslo"/);
    expect(JSON.parse(stdout).days).toHaveLength(2);
  });

  it('speaks to a server of the official SDK 1', async () => {
    const { status, stdout } = await sigil(['call', `node '${sdk1}'`, 'forecast', 'city=Oslo', 'days=2', '--json']);
    expect({ status, result: JSON.parse(stdout) }).toEqual({
      status: 0,
      result: { summary: 'mild in Oslo', highs: [11, 12] },
    });
  });

  it('takes the target after --, with the tool before it', async () => {
    const { stdout } = await sigil(['call', 'forecast', 'city=Oslo', 'days=1', '--', 'node', sdk1]);
    expect(JSON.parse(stdout)).toEqual({ summary: 'mild in Oslo', highs: [11] });
  });

  it.each([
    [
      ['forcast', 'city=Oslo'],
      'The server has no tool "forcast". [SIGIL_CLI_ENTRY_UNKNOWN]\nCheck its name. Did you mean forecast?\n',
    ],
    [['forecast'], 'The tool forecast needs "city". [SIGIL_CLI_ARGUMENT_MISSING]\nAdd city=<string>.\n'],
    [
      ['forecast', 'city=Oslo', 'day=2'],
      'The tool forecast has no argument "day". [SIGIL_CLI_ARGUMENT_UNKNOWN]\nCheck its arguments. Did you mean days?\n',
    ],
    [
      ['forecast', 'city=Oslo', 'days=two'],
      '"days" cannot be "two": its type is integer. [SIGIL_CLI_ARGUMENT_TYPE]\nPass it as days=<integer, from 1 to 14>.\n',
    ],
    [
      [],
      'No tool to call was given. [SIGIL_CLI_NOTHING_NAMED]\nWrite it as: sigil call [target] <tool> [key=value...]\n',
    ],
  ])('ends with 2 for wrong usage: %j', async (words, stderr) => {
    expect(await sigil(['call', weather, ...words])).toEqual({ status: 2, stdout: '', stderr });
  });

  it.each([
    [['{"citty":"Oslo","days":"x"}'], /citty[^]*city[^]*days/],
    [['days=two'], /city[^]*days/],
    [[], /city/],
  ])('sends %j unchecked with --as-is, and prints what a model would read', async (words, said) => {
    const { status, stdout } = await sigil(['call', weather, 'forecast', '--as-is', ...words]);
    expect([status, stdout]).toEqual([1, expect.stringMatching(said)]);
  });

  it('advises nobody to sign in where there is no URL', async () => {
    writeFileSync(
      fragile,
      FRAGILE.replace('=> ({ name,', `=> ({ _meta: { securitySchemes: [{ type: 'oauth2' }] }, name,`),
    );
    const { status, stderr } = await sigil(['call', fragile, 'nothingLikeThat']);
    expect([status, stderr]).toEqual([2, expect.not.stringContaining('--sign-in')]);
  });

  it('ends with 1 where the tool failed, with its words', async () => {
    const result = await sigil(['call', weather, 'forecast', 'city=Olso']);
    expect(result).toMatchObject({ status: 1, stdout: 'There is no climate data for "Olso". Did you mean Oslo?\n' });
  });

  it('ends with 3 where the server answered with an error of the protocol', async () => {
    const { status, stderr } = await sigil(['call', fragile, 'refuse']);
    expect(status).toBe(3);
    expect(stderr).toBe(
      'The server answered with an error: Not today (-32000). [SIGIL_CLI_ANSWER_ERROR]\n' +
        'Check the arguments with sigil inspect. If the tool asks a question, answer it with --answer <field>=<value>: of a local project, sigil inspect shows the forms, too.\n',
    );
  });

  it('ends with 4 where the server dies in the middle, and shows its last words', async () => {
    const { status, stdout, stderr } = await sigil(['call', fragile, 'die']);
    expect({ status, stdout }).toEqual({ status: 4, stdout: '' });
    expect(stderr).toContain(`The server "${fragile}" ended during the command (status 7). [SIGIL_CLI_ENDED]\n`);
    expect(stderr).toContain('  out of memory\n');
  });

  it('shows every report on progress, the last one too, which comes with the result', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { status, stderr } = await sigil(['call', fragile, 'count']);
      expect({ status, stderr }).toEqual({ status: 0, stderr: 'progress 1 of 3\nprogress 2 of 3\nprogress 3 of 3\n' });
    }
  });

  it('ends with 4 where a server over HTTP dies in the middle', async () => {
    const app = await HttpApp.start('everything', { SIGIL_TEST: '1' });
    const { status, stderr } = await sigil(['call', app.url, 'test_tool_with_progress'], {
      onStderr: (text) => text.includes('progress 0') && app.kill('SIGKILL'),
    });
    await app.exit;
    expect({ status, stderr }).toEqual({
      status: 4,
      stderr: expect.stringContaining(`The connection to the server at ${app.url} was lost`),
    });
  });

  it('ends with 4 where no answer comes before the deadline that was given', async () => {
    const clock = new ManualClock();
    const onStderr = (text: string): void => void (text.includes('hanging') && clock.advance(1000));
    const { status, stderr } = await sigil(['call', fragile, 'hang', '--timeout', '1', '--verbose'], {
      clock,
      onStderr,
    });
    expect(status).toBe(4);
    expect(stderr).toContain('Allow more time with --timeout <seconds>.');
  });

  it('ends with 130 on Ctrl-C, after the call was cancelled and the server ended', async () => {
    let server = 0;
    const { status, stderr } = await spawnSigil(['call', fragile, 'hang', '--verbose'], {
      onStderr: (text, pid) => {
        server = Number(/pid (\d+)/.exec(text)?.[1]);
        if (text.includes('hanging') && !text.includes('cancelled')) process.kill(pid, 'SIGINT');
      },
    });
    expect(status).toBe(130);
    expect(stderr).toMatch(/hanging\ncancelled \d+\nCancelled by Ctrl-C\.\n/);
    expect(isRunning(server)).toBe(false);
  });

  it('shows progress and what the server logs as plain lines on stderr', async () => {
    expect(await sigil(['call', everything, 'test_tool_with_progress'])).toEqual({
      status: 0,
      stdout: 'Progress was reported three times.\n',
      stderr: [0, 50, 100].map((done) => `progress ${done} of 100  Completed step ${done} of 100\n`).join(''),
    });
    const logging = await sigil(['call', everything, 'test_tool_with_logging']);
    expect(logging.stderr).toBe(
      '[info] Tool execution started\n[info] Tool processing data\n[info] Tool execution completed\n',
    );
    expect((await sigil(['call', everything, 'test_tool_with_logging', '--log-level', 'error'])).stderr).toBe('');
  });

  it('warns where the server printed on stdout what is no message', async () => {
    const { status, stdout, stderr } = await sigil(['call', fragile, 'chat']);
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'done\n' });
    expect(stderr).toBe(
      'fragile.mjs:20:13 The server printed "chatter" on stdout, which belongs to the protocol.\n' +
        "   20 |     console.log('chatter');\n      |             ^\n" +
        "Use console.error or context.log, or begin the program with import '@sigil-mcp/core/stdio/guard'.\n",
    );
  });

  it('reads the message behind text without an end of line, and warns of the text', async () => {
    const { status, stdout, stderr } = await sigil(['call', fragile, 'mumble']);
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'done\n' });
    expect(stderr).toContain('fragile.mjs:23:20 The server printed "hm, " on stdout, which belongs to the protocol.\n');
  });

  it('writes pictures and sounds to files, and never over another', async () => {
    const args = ['call', everything, 'test_image_content', '--output', join(folder, 'pictures')];
    const first = await sigil(args, { cwd: folder });
    expect(first.stdout).toBe('Saved pictures/image-1.png (image/png, 70 bytes)\n');
    await sigil(args, { cwd: folder });
    expect(readdirSync(join(folder, 'pictures'))).toEqual(['image-1.png', 'image-2.png']);
    expect(
      readFileSync(join(folder, 'pictures', 'image-2.png'))
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    await sigil(['call', everything, 'test_audio_content'], { cwd: folder });
    expect(existsSync(join(folder, 'audio-1.wav'))).toBe(true);
    const several = await sigil(['call', everything, 'test_multiple_content_types'], { cwd: folder });
    expect(several.stdout).toMatch(/^Multiple content types test:\nSaved image-1.png \(.*\)\n\{"test"/);
  });
});

describe('questions without a terminal', () => {
  const ask = (tool: string, ...words: string[]): ReturnType<typeof sigil> =>
    sigil(['call', everything, tool, ...words]);

  it('are declined with a line that says how to answer', async () => {
    expect(await ask('test_elicitation', 'message=Who are you?')).toEqual({
      status: 0,
      stdout: 'User response: decline\n',
      stderr:
        'The server asks: Who are you?\nDeclined: there is no terminal to ask at. ' +
        'Answer with --answer username=<value> --answer email=<value>.\n',
    });
  });

  it('are answered by --answer, typed by the form', async () => {
    const contact = ['--answer', 'username=Jo', '--answer', 'email=jo@example.com'];
    expect(await ask('test_elicitation', 'message=Who?', ...contact)).toMatchObject({
      stdout: 'User response: accept, {"username":"Jo","email":"jo@example.com"}\n',
    });
    const defaults = await ask('test_elicitation_sep1034_defaults', '--answer', 'age=44', '--answer', 'verified=false');
    expect(defaults.stdout).toBe(
      'User response: accept, {"name":"John Doe","age":44,"score":95.5,"status":"active","verified":false}\n',
    );
    const choices = ['titledSingle=Second option', 'untitledMulti=option1', 'untitledMulti=option3', 'legacyEnum=opt2'];
    const chosen = await ask('test_elicitation_sep1330_enums', ...choices.flatMap((one) => ['--answer', one]));
    expect(JSON.parse(chosen.stdout.replace('User response: accept, ', ''))).toEqual({
      titledSingle: 'value2',
      untitledMulti: ['option1', 'option3'],
      legacyEnum: 'opt2',
    });
  });

  it('end the command where an answer is of the wrong type', async () => {
    expect(await ask('test_elicitation_sep1034_defaults', '--answer', 'age=old')).toMatchObject({
      status: 2,
      stderr: '"age" cannot be "old": its type is integer. [SIGIL_CLI_ARGUMENT_TYPE]\nPass it as age=<integer>.\n',
    });
  });

  it('for a model are answered by --answer sampling, or end the call', async () => {
    const answered = await ask('test_sampling', 'prompt=Hi', '--answer', 'sampling=Good day');
    expect(answered).toMatchObject({ status: 0, stdout: 'LLM response: Good day\n' });
    const declined = await ask('test_sampling', 'prompt=Hi');
    expect(declined).toMatchObject({ status: 1, stderr: expect.stringContaining('user: Hi\nDeclined: answer with') });
  });

  it('are answered in older conversations as well', async () => {
    const app = await HttpApp.start('everything');
    const sse = new URL('/sse', app.url).href;
    const contact = ['--answer', 'username=Jo', '--answer', 'email=jo@example.com'];
    const result = await sigil(['call', sse, 'test_elicitation', 'message=Who?', ...contact]);
    const declined = await sigil(['call', sse, 'test_sampling', 'prompt=Hi']);
    await app.stop();
    expect(result.stdout).toContain('"username":"Jo"');
    expect(declined.status).toBe(1);
  });
});

describe('sigil read', () => {
  it('prints text, and writes bytes to a file', async () => {
    expect(await sigil(['read', everything, 'test://static-text'])).toMatchObject({
      status: 0,
      stdout: 'This is the content of the static text resource.\n',
    });
    const bytes = await sigil(['read', everything, 'test://static-binary', '--output', folder], { cwd: folder });
    expect(bytes.stdout).toBe('Saved static-binary-1.png (image/png, 70 bytes)\n');
  });

  it('suggests what is near to a URI that there is not', async () => {
    const { status, stderr } = await sigil(['read', everything, 'test://static-txt']);
    expect({ status, stderr }).toEqual({
      status: 3,
      stderr: expect.stringMatching(
        /did not read test:\/\/static-txt: .*\nCheck the URI\. Did you mean test:\/\/static-text\?\n$/,
      ),
    });
  });
});

describe('sigil prompt', () => {
  it('prints the messages', async () => {
    const { status, stdout } = await sigil(['prompt', everything, 'test_prompt_with_arguments', 'arg1=a', 'arg2=2']);
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: "user: Prompt with arguments: arg1='a', arg2='2'\n",
    });
  });

  it('names what is missing, and suggests what was meant', async () => {
    expect(await sigil(['prompt', everything, 'test_prompt_with_arguments', 'arg1=a'])).toMatchObject({
      status: 2,
      stderr: 'The prompt test_prompt_with_arguments needs "arg2". [SIGIL_CLI_ARGUMENT_MISSING]\nAdd arg2=<string>.\n',
    });
    expect(await sigil(['prompt', everything, 'test_simple_promt'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('Did you mean test_simple_prompt'),
    });
  });
});
