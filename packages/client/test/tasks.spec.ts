/** Calls that become tasks: followed to their end, over every pipe, against the everything server, and against a server that goes away. */
import { connect, RpcError, type Client, type ClientOptions, type ConnectTarget, type Task } from '@sigil-mcp/client';
import { builtApp } from '../../../test/programs/e2e/built-app';
import { HttpApp } from '../../../test/programs/e2e/http-app';
import { turn } from '../../../test/support/turn';

const NEWEST = '2026-07-28';
const PIPES = ['url', 'command'] as const;

let app: HttpApp;
beforeAll(async () => void (app = await HttpApp.start('everything')));
afterAll(() => app.stop());

const opened: Client[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((client) => client.close()));
});

const targetOf = (pipe: (typeof PIPES)[number]): ConnectTarget =>
  pipe === 'url' ? { url: app.url } : { command: process.execPath, args: [builtApp('everything')] };

async function open(pipe: (typeof PIPES)[number], options: ClientOptions = {}): Promise<Client> {
  const client = await connect(targetOf(pipe), options);
  opened.push(client);
  return client;
}

describe.each(PIPES)('over a %s, a client', (pipe) => {
  /** For what needs no options of its own. */
  let client: Client;
  beforeAll(async () => void (client = await connect(targetOf(pipe))));
  afterAll(() => client.close());

  it('follows a call that becomes a task, with its status, and returns the result of the tool ', async () => {
    const sent: string[] = [];
    const client = await open(pipe, { onTraffic: ({ from, text }) => void (from === 'client' && sent.push(text)) });
    expect(client.revision).toBe(NEWEST);
    const seen: Task[] = [];
    const result = await client.callTool(
      'slow_compute',
      { seconds: 1, label: 'a sum' },
      { onTask: (task) => void seen.push(task) },
    );
    expect(result).toMatchObject({ content: [{ type: 'text', text: 'Computed a sum for 1 s.' }], isError: false });
    expect(seen.map(({ status }) => status)).toEqual(expect.arrayContaining(['working', 'completed']));
    expect(seen.map(({ statusMessage }) => statusMessage)).toContain('0 of 1 seconds are over');
    expect(new Set(seen.map(({ taskId }) => taskId)).size).toBe(1);
    expect(sent.some((text) => text.includes('"taskIds"'))).toBe(true);
  });

  it('is not answered with a task if it does not say that it knows them', async () => {
    const result = await client.callTool('slow_compute', { seconds: 0 });
    expect(result).toMatchObject({ content: [{ text: 'Computed nothing for 0 s.' }] });
    await expect(client.callTool('failing_job')).rejects.toMatchObject({ code: -32021 });
  });

  it('answers the questions of a task with its handlers, each once', async () => {
    const asked: string[] = [];
    const client = await open(pipe, {
      onElicit: ({ message, requestedSchema }) => {
        asked.push(message);
        const [field = ''] = Object.keys(requestedSchema.properties);
        return { action: 'accept', content: { [field]: field === 'confirm' ? true : 'Ada' } };
      },
    });
    const result = await client.callTool('multi_input', {}, { onTask: () => undefined });
    expect(result).toMatchObject({ content: [{ text: 'Ada: accept' }] });
    expect(asked.sort()).toEqual(['Go ahead?', 'What is your name?']);
    const later = await client.callTool('test_tool_with_task', {}, { onTask: () => undefined });
    expect(later).toMatchObject({ content: [{ text: 'Hello, Ada, from a task.' }] });
  });

  it('returns errors of tools, and throws those of the protocol', async () => {
    const onTask = (): void => undefined;
    const failed = await client.callTool('failing_job', {}, { onTask });
    expect(failed).toMatchObject({ isError: true, content: [{ text: 'This job always fails.' }] });
    const refused = client.callTool('protocol_error_job', {}, { onTask });
    await expect(refused).rejects.toBeInstanceOf(RpcError);
    await expect(refused).rejects.toMatchObject({ code: -32603, message: 'This job is refused.' });
  });

  it('cancels the task when the call is cancelled', async () => {
    const stop = new AbortController();
    let taskId = '';
    const onTask = (task: Task): void => {
      taskId = task.taskId;
      stop.abort();
    };
    const call = client.callTool('slow_compute', { seconds: 600 }, { signal: stop.signal, onTask });
    await expect(call).rejects.toMatchObject({ code: 'SIGIL_CLIENT_CANCELLED' });
    expect(await client.task(taskId).get()).toMatchObject({ status: 'cancelled' });
    await expect(client.task(taskId).result()).rejects.toMatchObject({ code: 'SIGIL_CLIENT_TASK_CANCELLED' });
  });

  it('cancels the task when its question is refused', async () => {
    const client = await open(pipe, {
      onElicit: () => {
        throw new RpcError({ code: -1, message: 'The user has left.' });
      },
    });
    let taskId = '';
    const onTask = (task: Task): void => void (taskId = task.taskId);
    const call = client.callTool('confirm_delete', { filename: 'a.txt' }, { onTask });
    await expect(call).rejects.toThrow('The user has left.');
    expect(await client.task(taskId).get()).toMatchObject({ status: 'cancelled' });
  });

  it('finds a task again by its id, answers it by hand, and stops following without ending it', async () => {
    const client = await open(pipe, { onElicit: () => new Promise<never>(() => undefined) });
    const stop = new AbortController();
    let taskId = '';
    const onTask = (task: Task): void => {
      taskId = task.taskId;
      if (task.status === 'input_required') stop.abort();
    };
    const call = client.callTool('confirm_delete', { filename: 'a.txt' }, { onTask });
    call.catch(() => undefined);
    while (!stop.signal.aborted) await turn();
    const task = client.task(taskId);
    const ended = new AbortController();
    const following = task.result({ signal: ended.signal });
    ended.abort();
    await expect(following).rejects.toMatchObject({ code: 'SIGIL_CLIENT_CANCELLED' });
    const { inputRequests } = await task.get();
    const [key = ''] = Object.keys(inputRequests);
    await task.answer({ [key]: { action: 'accept', content: { confirm: true } } });
    expect(await task.result()).toMatchObject({ content: [{ text: 'Deleted a.txt.' }] });
    expect(await call).toMatchObject({ content: [{ text: 'Deleted a.txt.' }] });
    await expect(client.task('unknown').result()).rejects.toMatchObject({ code: -32602 });
  });
});

it('names the task in the header Mcp-Name of each request about it', async () => {
  const names: [string, string | null][] = [];
  const proxied = jest.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const headers = new Headers(init?.headers);
    const method = headers.get('mcp-method');
    if (method?.startsWith('tasks/')) names.push([method, headers.get('mcp-name')]);
    return realFetch(input, init);
  });
  const client = await open('url');
  let taskId = '';
  const onTask = (task: Task): void => void (taskId = task.taskId);
  await client.callTool('slow_compute', { seconds: 0 }, { onTask });
  await client.task(taskId).cancel();
  await client.task(taskId).answer({});
  proxied.mockRestore();
  expect(new Set(names.map(([method]) => method))).toContain('tasks/cancel');
  expect(new Set(names.map(([method]) => method))).toContain('tasks/update');
  expect(new Set(names.map(([, name]) => name))).toEqual(new Set([taskId]));
});
const realFetch = globalThis.fetch;

it('says which task it lost when the server goes away, and how to look again', async () => {
  const own = await HttpApp.start('everything');
  const client = await connect({ url: own.url });
  let taskId = '';
  const onTask = (task: Task): void => {
    taskId = task.taskId;
    own.kill('SIGKILL');
  };
  const call = client.callTool('slow_compute', { seconds: 600 }, { onTask });
  await expect(call).rejects.toMatchObject({ code: 'SIGIL_CLIENT_TASK_UNFOLLOWED' });
  await expect(call).rejects.toThrow(taskId);
  await client.close();
});

it.each(['2024-11-05', '2025-11-25'])('calls tools as ever on %s, where there are no tasks', async (revision) => {
  const client = await open('command', { revision });
  const seen: Task[] = [];
  const result = await client.callTool('slow_compute', { seconds: 0 }, { onTask: (task) => void seen.push(task) });
  expect(result).toMatchObject({ content: [{ text: 'Computed nothing for 0 s.' }] });
  expect(seen).toEqual([]);
});
