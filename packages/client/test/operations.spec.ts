/** Every operation, in each revision of the run, over every pipe, against a server of Sigil. */
import { createServer, Feature, McpContext, MemoryTransport, Prompt, Resource, Tool } from '@sigil-mcp/core';
import { ManualClock } from '@sigil-mcp/testing';
import { connect, type Client, type ClientOptions, type ConnectTarget, type Progress } from '@sigil-mcp/client';
import { IsBoolean, IsInt, IsString } from 'class-validator';
import { builtApp } from '../../../test/programs/e2e/built-app';
import { HttpApp } from '../../../test/programs/e2e/http-app';
import { REVISIONS } from '../../../test/support/each-revision';
import { until } from '../../../test/support/until';

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

async function open(target: ConnectTarget, options: ClientOptions = {}): Promise<Client> {
  const client = await connect(target, options);
  opened.push(client);
  return client;
}

const matrix = PIPES.flatMap((pipe) => REVISIONS.map((revision) => ({ pipe, revision })));

describe.each(matrix)('over $pipe, in $revision, a client', ({ pipe, revision }) => {
  /** For what needs no options of its own. */
  let client: Client;
  beforeAll(async () => void (client = await connect(targetOf(pipe), { revision })));
  afterAll(() => client.close());

  it('lists, calls, reads, gets and completes', async () => {
    expect(client.revision).toBe(revision);
    expect(client.server).toMatchObject({ info: { name: 'everything' }, capabilities: { tools: {} } });
    expect((await client.allTools()).map(({ name }) => name)).toContain('test_simple_text');
    expect(await client.callTool('test_simple_text')).toMatchObject({ isError: false, content: [{ type: 'text' }] });
    expect(await client.callTool('test_error_handling')).toMatchObject({ isError: true });
    expect((await client.allResources()).length).toBeGreaterThan(1);
    expect((await client.allResourceTemplates()).length).toBeGreaterThan(0);
    expect(await client.readResource('test://static-text')).toMatchObject({ contents: [{ mimeType: 'text/plain' }] });
    expect((await client.allPrompts()).length).toBeGreaterThan(1);
    expect((await client.getPrompt('test_prompt_with_arguments', { arg1: 'a', arg2: 'b' })).messages).toHaveLength(1);
    const completed = await client.complete({ prompt: 'test_prompt_with_arguments' }, { name: 'arg1', value: 'test' });
    expect(completed.completion.values).toEqual(['test', 'testing', 'tested']);
    await client.ping();
    await expect(client.callTool('no_such_tool')).rejects.toMatchObject({ name: 'RpcError', code: -32602 });
  });

  it('receives progress before the result, and log messages of its level', async () => {
    const steps: Progress[] = [];
    const logs: string[] = [];
    client.on('notifications/message', ({ level }) => logs.push(level));
    await client.setLevel('info');
    await client.callTool('test_tool_with_progress', {}, { onProgress: (step) => steps.push(step) });
    expect(steps.map(({ progress }) => progress)).toEqual([0, 50, 100]);
    await client.callTool('test_tool_with_logging');
    await until(() => logs.length === 3);
  });

  it('cancels a call, which other calls survive', async () => {
    const cancel = new AbortController();
    const call = client.callTool(
      'test_tool_with_progress',
      {},
      { signal: cancel.signal, onProgress: () => cancel.abort('enough') },
    );
    await expect(call).rejects.toMatchObject({ code: 'SIGIL_CLIENT_CANCELLED', cause: 'enough' });
    await expect(client.callTool('test_simple_text', {}, { signal: cancel.signal })).rejects.toMatchObject({
      code: 'SIGIL_CLIENT_CANCELLED',
    });
    expect(await client.callTool('test_simple_text')).toMatchObject({ isError: false });
  });

  it('does not wait for longer than its time limit', async () => {
    const clock = new ManualClock();
    const client = await open(targetOf(pipe), { revision, clock });
    const call = client.callTool('test_tool_with_progress', {}, { timeout: 20 });
    await Promise.all([
      clock.advance(20),
      expect(call).rejects.toMatchObject({
        code: 'SIGIL_CLIENT_TIMEOUT',
        message: expect.stringContaining('did not answer tools/call within 20 ms'),
      }),
    ]);
    expect(await client.callTool('test_simple_text')).toMatchObject({ isError: false });
  });

  it('subscribes to changes, and stops', async () => {
    const changes: string[] = [];
    const filter = { toolsListChanged: true, resourceSubscriptions: ['test://watched-resource'] };
    const subscription = await client.subscribe(filter, ({ method }) => changes.push(method));
    await client.callTool('test_trigger_tool_change');
    await until(() => changes.includes('notifications/tools/list_changed'));
    await subscription.close();
    expect(await subscription.ended).toBeUndefined();
  });

  it('asks a user for what a server wants to know', async () => {
    if (revision < '2025-06-18') return;
    const client = await open(targetOf(pipe), {
      revision,
      onElicit: ({ message }) => ({ action: 'accept', content: { name: `Ada (${message.length > 0})` } }),
    });
    const { content } = await client.callTool('test_input_required_result_elicitation');
    expect(content).toMatchObject([{ text: 'Hello, Ada (true)!' }]);
  });

  it('ends a call whose question nobody has answered yet, when it is closed', async () => {
    if (revision < '2025-06-18') return;
    let signal: AbortSignal | undefined;
    const client = await open(targetOf(pipe), {
      revision,
      onElicit: (_form, context) => {
        signal = context.signal;
        return new Promise(() => undefined);
      },
    });
    const called = client.callTool('test_input_required_result_elicitation');
    called.catch(() => undefined);
    await until(() => signal !== undefined);
    await client.close();
    await expect(called).rejects.toMatchObject({ code: 'SIGIL_CLIENT_CLOSED' });
    expect(signal?.aborted).toBe(true);
  });
});

describe('without a fixed revision, a client', () => {
  it.each(PIPES)('speaks the newest revision that both have, over %s', async (pipe) => {
    expect((await open(targetOf(pipe))).revision).toBe(NEWEST);
  });

  it('resumes a stream that the server closes before it answers', async () => {
    const client = await open({ url: app.url }, { revision: '2025-11-25' });
    expect(await client.callTool('test_reconnection')).toMatchObject({ isError: false });
  });

  it('falls back to HTTP+SSE', async () => {
    const client = await open({ url: new URL('/sse', app.url) });
    expect(client.revision).toBe('2025-11-25');
    expect(await client.callTool('test_simple_text')).toMatchObject({ isError: false });
    const steps: Progress[] = [];
    await client.callTool('test_tool_with_progress', {}, { onProgress: (step) => steps.push(step) });
    expect(steps).toHaveLength(3);
  });
});

class Choice {
  @IsString() name: string = 'Nobody';
  @IsInt() age: number = 30;
  @IsBoolean() sure!: boolean;
}

@Feature()
class Desk {
  @Tool('Asks for everything')
  async ask(context: McpContext): Promise<unknown> {
    const form = await context.elicit(Choice, 'Who are you?');
    const roots = await context.roots();
    const sampled = await context.sample('Hi', { maxTokens: 9 });
    return { form, roots, model: sampled.model };
  }

  @Resource('desk://top')
  top(): string {
    return 'A pen.';
  }

  @Prompt('Greets')
  greet(): string {
    return 'Hello';
  }
}

const ANSWERED = {
  form: { action: 'accept', content: { name: 'Nobody', age: 30, sure: true } },
  roots: [{ uri: 'file:///home' }],
  model: 'm',
};

describe.each(REVISIONS)('over memory, in %s, a client', (revision) => {
  it('answers questions with its handlers, and fills in the defaults of a form', async () => {
    const memory = new MemoryTransport();
    const server = createServer({ name: 'desk', version: '1', features: [Desk], logger: false });
    await server.listen(memory);
    const client = await open(
      { memory },
      {
        revision,
        onElicit: () => ({ action: 'accept', content: { sure: true } }),
        onRoots: () => [{ uri: 'file:///home' }],
        onSample: () => ({ role: 'assistant', content: [{ type: 'text', text: 'Yes.' }], model: 'm' }),
      },
    );
    const called = client.callTool('ask');
    // Forms came with this revision.
    if (revision < '2025-06-18') await expect(called).rejects.toThrow(`Protocol revision ${revision} does not have`);
    else expect((await called).content).toMatchObject([{ text: JSON.stringify(ANSWERED) }]);
    await server.close();
  });
});
