/** The official client of tasks, which checks every message by the schema of the extension, drives the everything server. */
import {
  resultFromTaskOutcome,
  TaskCancelledError,
  type ApplicationInputHandler,
  type ApplicationInputRequest,
  type ApplicationInputResult,
} from '@modelcontextprotocol/ext-tasks/client';
import { HttpApp } from '../../programs/e2e/http-app';
import { openSession, REVISION, type OfficialSession } from './official-session';

jest.setTimeout(120_000);

const TASKS = 'io.modelcontextprotocol/tasks';

let app: HttpApp;
beforeAll(async () => void (app = await HttpApp.start('everything')));
afterAll(() => app.stop());

describe.each(['stdio', 'HTTP'])('the official client of tasks, over %s', (way) => {
  const asked: string[] = [];
  const answers: ApplicationInputHandler['handle'] = async <T extends ApplicationInputRequest>(request: T) => {
    const { message, requestedSchema } = request.params as { message: string; requestedSchema: { properties: object } };
    asked.push(message);
    const [field = ''] = Object.keys(requestedSchema.properties);
    const content = { [field]: field === 'confirm' ? true : 'Ada' };
    return { action: 'accept', content } as ApplicationInputResult<T>;
  };

  let official: OfficialSession;
  beforeAll(async () => void (official = await openSession(way === 'HTTP' ? app.url : undefined, answers)));
  afterAll(() => official.close());

  it('finds the extension, on the revision that has it [TASK-022] [TASK-023]', () => {
    expect(official.client.getNegotiatedProtocolVersion()).toBe(REVISION);
    expect(official.client.getServerCapabilities()?.extensions?.[TASKS]).toEqual({});
    expect(official.client.getServerCapabilities()?.tasks).toBeUndefined();
    expect(official.session.capabilities).toMatchObject({ execution: true, cancellation: true, inputResponses: true });
  });

  it('creates a task, polls it to its end, and has its result [TASK-027] [TASK-029] [TASK-030] [TASK-032]', async () => {
    const execution = await official.session.callTool('slow_compute', { seconds: 1, label: 'a sum' });
    expect(execution.kind).toBe('task');
    const seen: unknown[] = [];
    const { outcome, lastTask } = await execution.settle({
      onEvent: (event) => void (event.type === 'task' && seen.push(event.task.statusMessage)),
    });
    expect(resultFromTaskOutcome(outcome)).toMatchObject({ content: [{ text: 'Computed a sum for 1 s.' }] });
    expect(lastTask).toMatchObject({ status: 'completed' });
    expect(seen).toContain('0 of 1 seconds are over');
  });

  it('takes the result of a tool that answers at once', async () => {
    const execution = await official.session.callTool('greet', { name: 'Ada' });
    expect(execution.kind).toBe('immediate');
    expect(resultFromTaskOutcome((await execution.settle()).outcome)).toMatchObject({
      content: [{ text: 'Hello, Ada!' }],
    });
  });

  it('answers the questions of a task, each once [TASK-034] [TASK-035]', async () => {
    asked.length = 0;
    const both = await official.session.callTool('multi_input');
    expect(resultFromTaskOutcome((await both.settle()).outcome)).toMatchObject({ content: [{ text: 'Ada: accept' }] });
    expect([...asked].sort()).toEqual(['Go ahead?', 'What is your name?']);
    const one = await official.session.callTool('confirm_delete', { filename: 'a.txt' });
    expect(resultFromTaskOutcome((await one.settle()).outcome)).toMatchObject({
      content: [{ text: 'Deleted a.txt.' }],
    });
  });

  it('is asked before the task begins, with the call [TASK-031]', async () => {
    const execution = await official.session.callTool('test_tool_with_task');
    expect(execution.kind).toBe('task');
    const { outcome } = await execution.settle();
    expect(resultFromTaskOutcome(outcome)).toMatchObject({ content: [{ text: 'Hello, Ada, from a task.' }] });
  });

  it('tells a tool that fails from a task that fails [TASK-033]', async () => {
    const job = await official.session.callTool('failing_job');
    const failed = (await job.settle()).outcome;
    expect(failed.status).toBe('completed');
    expect(resultFromTaskOutcome(failed)).toMatchObject({
      isError: true,
      content: [{ text: 'This job always fails.' }],
    });
    const refused = await official.session.callTool('protocol_error_job');
    const { outcome } = await refused.settle();
    expect(outcome.status).toBe('failed');
    expect(() => resultFromTaskOutcome(outcome)).toThrow('This job is refused.');
  });

  it('cancels a task, also twice [TASK-035]', async () => {
    const execution = await official.session.callTool('slow_compute', { seconds: 600 });
    if (execution.kind !== 'task') throw new Error('It is no task.');
    await execution.cancel();
    const { outcome } = await execution.settle();
    expect(() => resultFromTaskOutcome(outcome)).toThrow(TaskCancelledError);
    const controller = official.session.task(execution.handle.taskId);
    await controller.cancel();
    expect(await controller.snapshot()).toMatchObject({ status: 'cancelled' });
  });

  it('finds a task again by its id, and hears of one that does not exist [TASK-037]', async () => {
    const execution = await official.session.callTool('slow_compute', { seconds: 1 });
    if (execution.kind !== 'task') throw new Error('It is no task.');
    const { taskId } = execution.serializeReference();
    await execution.detach();
    const again = official.session.task(taskId);
    expect(resultFromTaskOutcome(await again.result())).toMatchObject({
      content: [{ text: 'Computed nothing for 1 s.' }],
    });
    const unknown = official.session.task('AAAAAAAAAAAAAAAAAAAAAA' as typeof taskId);
    await expect(unknown.snapshot()).rejects.toMatchObject({ code: -32602 });
  });

  it('is refused without the extension, with its name [TASK-025] [TASK-038]', async () => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': REVISION,
      'io.modelcontextprotocol/clientInfo': { name: 'none', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const requests = [
      { method: 'tools/call', params: { name: 'failing_job', arguments: {}, _meta } },
      { method: 'tasks/get', params: { taskId: 'x', _meta } },
      { method: 'tasks/update', params: { taskId: 'x', inputResponses: {}, _meta } },
      { method: 'tasks/cancel', params: { taskId: 'x', _meta } },
      { method: 'subscriptions/listen', params: { notifications: { taskIds: ['x'] }, _meta } },
    ];
    for (const request of requests)
      expect([request.method, await official.dispatch(request)]).toMatchObject([
        request.method,
        { kind: 'error', error: { code: -32021, data: { requiredCapabilities: { extensions: { [TASKS]: {} } } } } },
      ]);
    const answered = await official.dispatch({
      method: 'tools/call',
      params: { name: 'slow_compute', arguments: { seconds: 0 }, _meta },
    });
    expect(answered).toMatchObject({ kind: 'result', result: { resultType: 'complete' } });
  });
});
