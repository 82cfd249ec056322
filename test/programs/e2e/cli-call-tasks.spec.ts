/** `sigil call` of tools that become tasks, without a terminal and at one, against a server over stdio and HTTP. */
import { ManualClock } from '@sigil-mcp/testing';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@sigil-mcp/client';
import { builtApp } from './built-app';
import { HttpApp } from './http-app';
import { describeWithTerminal, sigil, spawnSigil, Terminal } from './terminal';

jest.setTimeout(150_000);

const everything = builtApp('everything');
const ENTER = '\r';
const CTRL_C = '\u0003';

let app: HttpApp;
beforeAll(async () => void (app = await HttpApp.start('everything')));
afterAll(() => app.stop());

/** The server, over stdio and HTTP. */
const TARGETS = [
  { way: 'stdio', target: () => everything },
  { way: 'HTTP', target: () => app.url },
];

/** The id of a task, as the command has printed it. */
function idIn(text: string): string {
  return /(?:--task|the task) ([\w-]{22})/.exec(text)?.[1] ?? '';
}

/** A task of the server over HTTP, as another client sees it. */
async function statusOf(taskId: string): Promise<string> {
  const client = await connect({ url: app.url });
  const { status } = await client.task(taskId).get();
  await client.close();
  return status;
}

describe.each(TARGETS)('sigil call, over $way', ({ target }) => {
  const call = (...args: string[]): ReturnType<typeof sigil> => sigil(['call', target(), ...args]);

  it('follows a task, with its status as progress, to its result', async () => {
    const { status, stdout, stderr } = await call('slow_compute', 'seconds=2', 'label=a sum');
    expect([status, stdout]).toEqual([0, 'Computed a sum for 2 s.\n']);
    // The client asks for the status: on a busy machine, the task may end before the second one was seen.
    expect(stderr).toMatch(/^progress {2}0 of 2 seconds are over\n(progress {2}1 of 2 seconds are over\n)?$/);
  });

  it('prints the result as JSON like that of any call', async () => {
    const { status, stdout } = await call('slow_compute', 'seconds=0', '--json');
    expect(status).toBe(0);
    const content = [{ type: 'text', text: 'Computed nothing for 0 s.' }];
    expect(JSON.parse(stdout)).toEqual({ content, isError: false });
  });

  it('has the status of a call that fails, and of one that is refused', async () => {
    const failed = await call('failing_job');
    expect([failed.status, failed.stdout]).toEqual([1, 'This job always fails.\n']);
    const refused = await call('protocol_error_job');
    expect([refused.status, refused.stdout]).toEqual([3, '']);
    expect(refused.stderr).toContain('The server answered with an error: This job is refused. (-32603).');
    const asJson = await call('protocol_error_job', '--json');
    expect(asJson.status).toBe(3);
    expect(JSON.parse(asJson.stdout)).toMatchObject({ error: { code: 'SIGIL_CLI_ANSWER_ERROR', exitCode: 3 } });
  });

  it('answers the questions of a task from the command line', async () => {
    const deleted = await call('confirm_delete', 'filename=a.txt', '--answer', 'confirm=true');
    expect([deleted.status, deleted.stdout]).toEqual([0, 'Deleted a.txt.\n']);
    const both = await call('multi_input', '--answer', 'name=Ada', '--answer', 'confirm=true');
    expect([both.status, both.stdout]).toEqual([0, 'Ada: accept\n']);
    const later = await call('test_tool_with_task', '--answer', 'name=Ada');
    expect([later.status, later.stdout]).toEqual([0, 'Hello, Ada, from a task.\n']);
  });

  it('declines questions if there is nobody to ask', async () => {
    const { status, stdout, stderr } = await call('confirm_delete', 'filename=a.txt');
    expect([status, stdout]).toEqual([0, 'Kept a.txt.\n']);
    expect(stderr.match(/The server asks: Delete a\.txt\?/g)).toHaveLength(1);
    expect(stderr).toContain('Answer with --answer confirm=<value>.');
  });
});

describe('sigil call', () => {
  it('cancels the task with Ctrl-C', async () => {
    let pressed = false;
    const { status, stderr } = await spawnSigil(['call', app.url, 'slow_compute', 'seconds=600'], {
      onStderr: (text, pid) => {
        if (pressed || !text.includes('0 of 600')) return;
        pressed = true;
        process.kill(pid, 'SIGINT');
      },
    });
    expect(status).toBe(130);
    expect(stderr).toContain('Cancelled by Ctrl-C.');
    expect(stderr).not.toContain('To look again');
    expect(await statusOf(idIn(stderr))).toBe('cancelled');
  });

  it('leaves a task that it cannot wait for any longer, says how to go on, and goes on', async () => {
    const clock = new ManualClock();
    const onStderr = (text: string): void => void (text.includes('0 of 3') && clock.advance(1000));
    const { status, stderr } = await sigil(['call', app.url, 'slow_compute', 'seconds=3', '--timeout', '1'], {
      ...{ clock, onStderr },
    });
    expect(status).toBe(4);
    expect(stderr).toContain('The answer did not arrive in time.');
    const id = idIn(stderr);
    expect(stderr.replace(/\s+/g, ' ')).toContain(`To look again: sigil call ${app.url} --task ${id}`);
    const again = await sigil(['call', app.url, '--task', id]);
    expect([again.status, again.stdout]).toEqual([0, 'Computed nothing for 3 s.\n']);
  });

  it('leaves a task whose question got a wrong answer, which can be answered later', async () => {
    const wrong = ['call', app.url, 'confirm_delete', 'filename=a.txt', '--answer', 'confrim=true'];
    const { status, stderr } = await sigil(wrong);
    expect(status).toBe(2);
    expect(stderr).toContain('Did you mean confirm?');
    const again = await sigil(['call', app.url, '--task', idIn(stderr), '--answer', 'confirm=true']);
    expect([again.status, again.stdout]).toEqual([0, 'Deleted a.txt.\n']);
  });

  it('says how to look again when the server goes away', async () => {
    const own = await HttpApp.start('everything');
    const { status, stderr } = await sigil(['call', own.url, 'slow_compute', 'seconds=600'], {
      onStderr: (text) => {
        if (text.includes('0 of 600')) own.kill('SIGKILL');
      },
    });
    expect(status).toBe(4);
    expect(stderr).toContain('was lost');
    expect(stderr.replace(/\s+/g, ' ')).toContain(`To look again: sigil call ${own.url} --task ${idIn(stderr)}`);
    await own.exit;
  });

  it('says that a task was cancelled by somebody else', async () => {
    const client = await connect({ url: app.url });
    const stop = new AbortController();
    let id = '';
    const onTask = ({ taskId }: { readonly taskId: string }): void => {
      id = taskId;
      stop.abort();
    };
    await client.callTool('slow_compute', { seconds: 600 }, { signal: stop.signal, onTask }).catch(() => undefined);
    await client.close();
    const { status, stderr } = await sigil(['call', app.url, '--task', id]);
    expect(status).toBe(1);
    expect(stderr).toContain(`The task ${id} was cancelled`);
  });

  it('refuses a tool next to --task, and reports a task that does not exist', async () => {
    const both = await sigil(['call', app.url, 'slow_compute', '--task', 'x']);
    expect(both.status).toBe(2);
    expect(both.stderr).toContain('Leave out the tool and its arguments');
    const unknown = await sigil(['call', app.url, '--task', 'x']);
    expect(unknown.status).toBe(3);
    expect(unknown.stderr).toContain('Unknown task: x');
  });
});

describe('sigil call of a server that breaks the rules', () => {
  /** A server of nobody's making: its tasks say what its tool is called for, and it never answers a cancellation. */
  const BROKEN = `
import { createInterface } from 'node:readline';
const send = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
const name = 'run';
const common = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'server/discover') {
    const capabilities = { tools: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } };
    send(id, { ...common, supportedVersions: ['2026-07-28'], capabilities, serverInfo: { name, version: '1' } });
  } else if (method === 'tools/list') send(id, { ...common, tools: [{ name, inputSchema: { type: 'object' } }] });
  else if (method === 'tools/call') send(id, { resultType: 'task', ...JSON.parse(process.env.TASK), createdAt: '1', lastUpdatedAt: '1', ttlMs: null });
  else if (method === 'tasks/get') send(id, { resultType: 'complete', ...JSON.parse(process.env.NEXT), createdAt: '1', lastUpdatedAt: '1', ttlMs: null });
  else if (method === 'tasks/cancel') console.error('asked to cancel');
});
`;
  const folder = mkdtempSync(join(tmpdir(), 'sigil-'));
  const program = join(folder, 'broken.mjs');
  writeFileSync(program, BROKEN);
  afterAll(() => rmSync(folder, { recursive: true }));

  const task = { taskId: 'one', status: 'working', pollIntervalMs: 200 };
  const typed = ['call', program, 'run', '--verbose'];
  const toldBy = (first: object, next: object) => ({ TASK: JSON.stringify(first), NEXT: JSON.stringify(next) });

  it.each([
    ['a task without an id', { ...task, taskId: 7 }, task, 'taskId must be a string'],
    ['a task of an unknown status', task, { ...task, status: 'lost' }, 'status must be one of'],
    [
      'a question that nobody knows',
      task,
      { ...task, status: 'input_required', inputRequests: { a: { method: 'dance' } } },
      'dance',
    ],
    [
      'a form without a message',
      task,
      { ...task, status: 'input_required', inputRequests: { a: { method: 'elicitation/create' } } },
      'elicitation/create',
    ],
    [
      'a result that is not one',
      task,
      { ...task, status: 'completed', result: { content: 'Done' } },
      'not the result of a tool',
    ],
  ])('says so for %s', async (_what, first, next, words) => {
    const { status, stderr } = await sigil(typed, { env: toldBy(first, next) });
    expect(status).toBe(3);
    expect(stderr).toContain('violates the protocol');
    expect(stderr).toContain(words);
  });

  it('ends at once after a second Ctrl-C, and says how to go on', async () => {
    let pressed = 0;
    const { status, stderr } = await spawnSigil(typed, {
      env: toldBy(task, { ...task, statusMessage: 'Working' }),
      onStderr: (text, pid) => {
        const due = text.includes('asked to cancel') ? 2 : text.includes('Working') ? 1 : 0;
        for (; pressed < due; pressed += 1) process.kill(pid, 'SIGINT');
      },
    });
    expect([status, pressed]).toEqual([130, 2]);
    expect(stderr.replace(/\s+/g, ' ')).toContain(`To look again: sigil call ${program} --task one`);
  });
});

describeWithTerminal('at a terminal, a task', () => {
  const open: Terminal[] = [];
  const start = (...args: string[]): Terminal => {
    const terminal = new Terminal(['call', ...args]);
    open.push(terminal);
    return terminal;
  };
  afterEach(() => open.splice(0).forEach((terminal) => terminal.kill()));

  it('has its status in one line, which is gone when the result is there', async () => {
    const terminal = start(everything, 'slow_compute', 'seconds=2');
    expect(await terminal.exit).toBe(0);
    expect(terminal.bytes).toContain('…  1 of 2 seconds are over');
    expect(terminal.screen).toBe('Computed nothing for 2 s.');
  });

  it('asks each of its questions once, one after the other', async () => {
    const terminal = start(app.url, 'multi_input');
    await terminal.sees('Name (1 to 100 characters)');
    terminal.press(`Ada${ENTER}`);
    await terminal.sees('Yes');
    expect(terminal.screen).toContain('Go ahead?');
    terminal.press(`y${ENTER}`);
    expect(await terminal.exit).toBe(0);
    expect(terminal.screen).toContain('Ada: accept');
    expect(terminal.screen.match(/What is your name\?/g)).toHaveLength(1);
    expect(terminal.screen.match(/Go ahead\?/g)).toHaveLength(1);
  });

  it('is cancelled by Ctrl-C at its question', async () => {
    const terminal = start(app.url, 'confirm_delete', 'filename=a.txt');
    await terminal.sees('Delete a.txt?');
    terminal.press(CTRL_C);
    expect(await terminal.exit).toBe(130);
    expect(terminal.screen).toContain('Cancelled by Ctrl-C.');
    expect(await statusOf(idIn(terminal.screen))).toBe('cancelled');
  });
});
