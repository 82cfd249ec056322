/** Connecting to a program: a real process with real pipes, and every way it can go wrong. */
import { builtApp, isRunning } from '../../../test/programs/e2e/built-app';
import { connect, type CommandTarget } from '@sigil-mcp/testing';
import { eachRevision } from '../../../test/support/each-revision';

const everything: CommandTarget = { command: process.execPath, args: [builtApp('everything')] };
/** A program that is one expression. */
const script = (source: string, more: Partial<CommandTarget> = {}): CommandTarget => ({
  command: process.execPath,
  args: ['-e', source],
  ...more,
});
/** Answers what it is asked like a server of the newest revision; the rest of it is up to a test. */
const SERVES = `
  const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
  const discovered = { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {}, ttlMs: 0, cacheScope: 'private' };
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (method === 'server/discover') say({ id, result: discovered });
    else take(id, method);
  });`;

describe('a program', () => {
  eachRevision('is started, met and called', async ({ revision, connect }) => {
    const client = await connect(everything);
    expect(client.revision).toBe(revision);
    expect(await client.callTool('test_simple_text')).toMatchObject({ isError: false });
    expect(client.traffic.length).toBeGreaterThan(3);
  });

  it('is given arguments, an environment and a folder', async () => {
    const told = `console.error(process.argv[1], process.env.WORD, process.cwd()); ${SERVES} const take = () => {};`;
    const target = script(told, { env: { WORD: 'word' }, cwd: __dirname });
    const client = await connect({ ...target, args: [...(target.args ?? []), 'argument'] });
    await client.close();
    expect(client.stderr()).toBe(`argument word ${__dirname}\n`);
  });

  it('ends with its client', async () => {
    const client = await connect(script(`console.error(process.pid); ${SERVES} const take = () => {};`));
    const pid = Number(client.stderr());
    expect(isRunning(pid)).toBe(true);
    await client.close();
    await client.close();
    expect(isRunning(pid)).toBe(false);
  });

  it('that does not end with its input is killed', async () => {
    const stubborn = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.error(process.pid); ${SERVES} const take = () => {};`;
    const client = await connect(script(stubborn));
    const waiting = client.request('tools/list');
    waiting.catch(() => undefined);
    await client.close();
    await expect(waiting).rejects.toThrow('The client was closed.');
    expect(isRunning(Number(client.stderr()))).toBe(false);
  });
});

describe('a program that', () => {
  it('cannot be started is named, with the reason', async () => {
    await expect(connect({ command: './no-such-program', args: ['--fast'] })).rejects.toThrow(
      /`\.\/no-such-program --fast` could not be started: spawn .*ENOENT/,
    );
  });

  it('dies while it is waited for gives its exit code and its last words', async () => {
    const dying = `${SERVES} const take = () => { console.error('first\\nlast words'); process.exit(3); };`;
    const client = await connect(script(dying));
    const [one, other] = [client.request('tools/list'), client.request('prompts/list')];
    other.catch(() => undefined);
    await expect(one).rejects.toThrow(/ended with exit code 3 while the client was connected.*\nfirst\nlast words$/);
    await expect(other).rejects.toThrow('exit code 3');
    await expect(client.request('tools/list')).rejects.toThrow('exit code 3');
    await client.close();
  });

  it('dies before it is met does so, too', async () => {
    await expect(connect(script('process.kill(process.pid, "SIGKILL")'))).rejects.toThrow('by the signal SIGKILL');
    await expect(connect(script('process.exit(0)'))).rejects.toThrow(/exit code 0 .*\n\(nothing\)$/s);
  });

  it('prints to stdout is told what belongs there', async () => {
    const printing = `${SERVES} const take = () => console.log('hello');`;
    const client = await connect(script(printing));
    await expect(client.request('tools/list')).rejects.toThrow(
      'wrote a line to stdout that is not a message: "hello". Write logs to stderr',
    );
    await client.close();
  });

  it('settles on another revision is ended', async () => {
    const old = script(
      `console.error(process.pid); ${SERVES} const take = () => {};`.replace('2026-07-28', '2030-01-01'),
    );
    await expect(connect(old)).rejects.toThrow('asked for revision 2026-07-28, but the server chose 2030-01-01');
  });
});

describe('a request', () => {
  eachRevision('is taken back with a notification', async ({ connect }) => {
    const client = await connect(everything);
    const { id, result } = client.start('tools/call', { name: 'test_tool_with_progress', arguments: {} });
    client.cancel(id, 'no more');
    await expect(result).rejects.toThrow(`The client cancelled request ${id}.`);
    expect(JSON.parse(client.traffic.at(-1)?.text ?? '')).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: id, reason: 'no more' },
    });
    expect(() => client.hangUp(id)).toThrow('share one connection');
  });
});

describe('an answer that fails', () => {
  eachRevision('fails the call of the test, with its own error', async ({ connect }) => {
    const capabilities = { roots: {} };
    const answers = (): never => {
      throw new TypeError('The test is wrong.');
    };
    const client = await connect(everything, { capabilities, answers });
    await expect(client.callTool('test_input_required_result_list_roots')).rejects.toThrow('The test is wrong.');
  });
});

it('a target that is none is refused with what there may be', async () => {
  await expect(connect('ftp://example.com')).rejects.toThrow('is not an http(s) URL. Pass a server,');
  await expect(connect('main.js')).rejects.toThrow('"main.js" is not an http(s) URL');
});
