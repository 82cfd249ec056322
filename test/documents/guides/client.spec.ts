/** The code on the page about the client. */
import { connect, HttpError, RpcError, SigilError, type Client } from '@sigil-mcp/client';
import { builtApp } from '../../programs/e2e/built-app';

const askUser = (message: string): boolean => message.length > 0;

it('the first steps call a tool, and close', async () => {
  const program = builtApp('everything');
  const write = jest.spyOn(console, 'log').mockImplementation(() => undefined);
  // #region connect
  const client = await connect({ command: 'node', args: [program] });
  for (const { name, description } of await client.allTools()) console.log(name, description);
  const { content, isError } = await client.callTool('test_simple_text');
  await client.close();
  // #endregion connect
  expect(write).toHaveBeenCalledWith('test_simple_text', expect.any(String));
  write.mockRestore();
  expect([content.length, isError]).toEqual([1, false]);
});

it('handlers answer questions', async () => {
  const program = builtApp('everything');
  // #region questions
  const client = await connect(
    { command: 'node', args: [program] },
    {
      onElicit: async ({ message, requestedSchema }) => {
        if (!askUser(message)) return { action: 'decline' };
        const [field = ''] = Object.keys(requestedSchema.properties);
        return { action: 'accept', content: { [field]: 'Ada' } };
      },
      onRoots: () => [{ uri: 'file:///home/ada/project', name: 'project' }],
    },
  );
  // #endregion questions
  expect(await client.callTool('test_input_required_result_elicitation')).toMatchObject({
    content: [{ text: 'Hello, Ada!' }],
  });
  await client.close();
});

it('a call reports its progress, and can be cancelled', async () => {
  const client = await connect({ command: 'node', args: [builtApp('everything')] });
  const steps: number[] = [];
  // #region progress
  const stop = new AbortController();
  const call = client.callTool(
    'test_tool_with_progress',
    {},
    { timeout: 5000, signal: stop.signal, onProgress: ({ progress }) => steps.push(progress) },
  );
  // #endregion progress
  await call;
  expect(steps).toEqual([0, 50, 100]);
  await client.close();
});

it('a call becomes a task, which is followed and found again', async () => {
  const client = await connect({ command: 'node', args: [builtApp('everything')] });
  const seen: (string | undefined)[] = [];
  let taskId = '';
  // #region tasks
  const { content } = await client.callTool(
    'slow_compute',
    { seconds: 1 },
    {
      onTask: (task) => {
        taskId = task.taskId;
        seen.push(task.statusMessage);
      },
    },
  );
  // #endregion tasks
  expect(content).toMatchObject([{ text: 'Computed nothing for 1 s.' }]);
  expect(seen).toContain('0 of 1 seconds are over');
  // #region again
  const task = client.task(taskId);
  const { status } = await task.get();
  const result = await task.result();
  // #endregion again
  expect([status, result.content]).toEqual(['completed', content]);
  await client.close();
});

it('changes are reported to a subscription', async () => {
  const client = await connect({ command: 'node', args: [builtApp('everything')] });
  const seen: string[] = [];
  // #region changes
  const subscription = await client.subscribe({ toolsListChanged: true }, ({ method }) => seen.push(method));
  await client.callTool('test_trigger_tool_change');
  // #endregion changes
  while (seen.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await subscription.close();
  await client.close();
});

it('each kind of error has its class', async () => {
  const failures: string[] = [];
  // #region errors
  async function callSafely(client: Client, name: string): Promise<void> {
    try {
      await client.callTool(name);
    } catch (error) {
      if (error instanceof RpcError) failures.push(`the server refuses: ${error.code}`);
      else if (error instanceof HttpError) failures.push(`HTTP ${error.status}, scope ${error.challenge?.scope}`);
      else if (error instanceof SigilError) failures.push(error.code);
      else throw error;
    }
  }
  // #endregion errors
  const client = await connect({ command: 'node', args: [builtApp('everything')] });
  await callSafely(client, 'none');
  await client.close();
  await callSafely(client, 'none');
  expect(failures).toEqual(['the server refuses: -32602', 'SIGIL_CLIENT_CLOSED']);
});
