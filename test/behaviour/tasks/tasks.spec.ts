/** Tasks over every transport, where they are specified; and the same tools, called as ever, on every revision. */
import type { JsonObject } from '@sigil-mcp/protocol';
import { connect, type TestClient } from '@sigil-mcp/testing';
import { TASKS } from '@sigil-mcp/tasks';
import { accept, answer, call, CAPABILITIES, get, reach, start, textOf, WITH_TASKS } from './task-client';
import { TRANSPORTS, type Opened } from './transports';
import { revisionsOf } from '../../support/each-revision';

const OLDER = revisionsOf({ until: '2025-11-25' });
const UNKNOWN = 'AAAAAAAAAAAAAAAAAAAAAA';

describe.each(Object.keys(TRANSPORTS))('tasks over %s', (transport) => {
  let opened: Opened;
  let client: TestClient;
  beforeAll(async () => {
    opened = await TRANSPORTS[transport]!();
    client = await connect(opened.target, { revision: WITH_TASKS, capabilities: CAPABILITIES });
  });
  afterAll(async () => {
    await client.close();
    await opened.close();
  });

  it('are advertised as an extension without settings, and not as a capability [TASK-022, TASK-023, BASE-045]', async () => {
    const { capabilities } = await client.request('server/discover');
    expect(capabilities).toMatchObject({ extensions: { [TASKS]: {} } });
    expect(capabilities).not.toHaveProperty('tasks');
  });

  it('answer a call with a flat task that can be read at once [TASK-027, TASK-029, TASK-030, TASK-046]', async () => {
    const task = await start(client, 'bake', { name: 'rye', pieces: 3 });
    expect(task).toEqual({
      _meta: expect.anything() as unknown,
      resultType: 'task',
      taskId: expect.stringMatching(/^[\w-]{22}$/) as unknown,
      status: 'working',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown,
      lastUpdatedAt: expect.stringMatching(/Z$/) as unknown,
      ttlMs: 86_400_000,
      pollIntervalMs: 1000,
    });
    expect(await get(client, task)).toMatchObject({ resultType: 'complete', taskId: task.taskId });
  });

  it('end with the result of the tool, and its last progress as their message [TASK-028, TASK-032, TASK-033]', async () => {
    const task = await start(client, 'bake', { name: 'rye', pieces: 3 });
    const done = await reach(client, task, 'completed');
    expect(done).toMatchObject({ resultType: 'complete', statusMessage: 'baked 3 of 3' });
    expect(textOf(done)).toBe('Baked 3 rye.');
    expect(done['result']).not.toHaveProperty(['_meta', 'io.modelcontextprotocol/related-task']);
    for (const absent of ['error', 'inputRequests', 'requestState']) expect(done).not.toHaveProperty(absent);
  });

  it('are completed by a tool that fails, without details of its mistakes [TASK-033]', async () => {
    const burnt = await reach(client, await start(client, 'burn'), 'completed');
    expect(burnt['result']).toMatchObject({ isError: true });
    expect(textOf(burnt)).toBe('It is burnt.');
    const dropped = await reach(client, await start(client, 'drop'), 'completed');
    expect(dropped['result']).toMatchObject({ isError: true });
    expect(JSON.stringify(dropped)).not.toContain('secret');
  });

  it('have failed with an error of the protocol [TASK-032, TASK-033]', async () => {
    const refused = await reach(client, await start(client, 'refuse'), 'failed');
    expect(refused).toMatchObject({ error: { code: 4711, message: 'The oven is cold.', data: { oven: 1 } } });
    expect(refused).not.toHaveProperty('result');
  });

  it('refuse arguments that are not valid with the request, and make no task of it', async () => {
    const wrong = await call(client, 'bake', { name: 7 }).catch((error: Error) => error.message);
    expect(JSON.stringify(wrong)).toContain('Invalid arguments');
    expect(wrong).not.toHaveProperty('taskId');
  });

  it('ask, are answered, and go on [TASK-032, TASK-034, TASK-035]', async () => {
    const task = await start(client, 'approve', { name: 'rye' });
    const asking = await reach(client, task, 'input_required');
    expect(asking).toMatchObject({
      resultType: 'complete',
      inputRequests: {
        approval: {
          method: 'elicitation/create',
          params: { message: 'Bake rye?', requestedSchema: { properties: { ok: { type: 'boolean' } } } },
        },
      },
    });
    const { _meta, ...acknowledged } = await answer(client, task, { approval: accept() });
    expect(acknowledged).toEqual({ resultType: 'complete' });
    expect(textOf(await reach(client, task, 'completed'))).toBe('Baked rye.');
  });

  it('keep the answers that have come, and wait for the others [TASK-032, TASK-036]', async () => {
    const task = await start(client, 'pair');
    const both = await reach(client, task, 'input_required');
    expect(Object.keys(both['inputRequests'] as JsonObject).sort()).toEqual(['amount', 'approval']);
    await answer(client, task, { amount: accept({ pieces: 4 }), nobody: accept() });
    const one = await get(client, task);
    expect(one.status).toBe('input_required');
    expect(Object.keys(one['inputRequests'] as JsonObject)).toEqual(['approval']);
    await answer(client, task, { amount: accept({ pieces: 9 }) });
    await answer(client, task, { approval: { action: 'decline' } });
    expect(textOf(await reach(client, task, 'completed'))).toBe('4 pieces, decline');
  });

  it('ask each question under a key of its own [TASK-034]', async () => {
    const task = await start(client, 'steps');
    const keys = new Set<string>();
    for (let step = 1; step <= 3; step += 1) {
      const { inputRequests } = await reach(client, task, 'input_required');
      const [[key, request]] = Object.entries(inputRequests as JsonObject) as [[string, JsonObject]];
      expect(request).toMatchObject({ params: { message: `Step ${step}?` } });
      expect(keys).not.toContain(key);
      keys.add(key);
      await answer(client, task, { [key]: accept() });
    }
    expect(textOf(await reach(client, task, 'completed'))).toBe('accept accept accept');
  });

  it('ask the model of the client', async () => {
    const task = await start(client, 'taste');
    const asking = await reach(client, task, 'input_required');
    expect(asking).toMatchObject({ inputRequests: { taste: { method: 'sampling/createMessage' } } });
    const sampled = { role: 'assistant', model: 'm', content: { type: 'text', text: 'Sweet.' } };
    await answer(client, task, { taste: sampled });
    expect(textOf(await reach(client, task, 'completed'))).toBe('Sweet.');
  });

  it('refuse an answer that does not fit, with all that come with it, and go on asking', async () => {
    const task = await start(client, 'pair');
    await reach(client, task, 'input_required');
    const refused: readonly (readonly [JsonObject, string])[] = [
      [{ amount: accept({ pieces: 'many' }) }, 'pieces: must be an integer'],
      [{ amount: accept({ pieces: 4 }), approval: accept({ ok: 'perhaps' }) }, 'ok: must be a boolean'],
      [{ amount: accept({}) }, 'pieces: is required'],
      [{ amount: { action: 'perhaps' } }, 'result.action must be one of accept, decline, cancel'],
    ];
    for (const [answers, reason] of refused)
      await expect(answer(client, task, answers)).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining(reason) as string,
      });
    const open = await get(client, task);
    expect(Object.keys(open['inputRequests'] as JsonObject).sort()).toEqual(['amount', 'approval']);
    await answer(client, task, { amount: accept({ pieces: 4 }), approval: accept() });
    expect(textOf(await reach(client, task, 'completed'))).toBe('4 pieces, accept');
  });

  it('refuse what is no answer of a model, and go on asking', async () => {
    const task = await start(client, 'taste');
    await reach(client, task, 'input_required');
    await expect(answer(client, task, { taste: { role: 'assistant', content: 'Sweet.' } })).rejects.toMatchObject({
      code: -32602,
    });
    expect(await get(client, task)).toMatchObject({ status: 'input_required' });
    await client.request('tasks/cancel', { taskId: task.taskId });
  });

  it('are cancelled, and stay so [TASK-035]', async () => {
    const task = await start(client, 'forever', { name: 'rye' });
    const { _meta, ...acknowledged } = await client.request('tasks/cancel', { taskId: task.taskId });
    expect(acknowledged).toEqual({ resultType: 'complete' });
    expect(await get(client, task)).toMatchObject({ status: 'cancelled' });
    await client.request('tasks/cancel', { taskId: task.taskId });
    await answer(client, task, { approval: accept() });
    const still = await get(client, task);
    expect(still.status).toBe('cancelled');
    for (const absent of ['result', 'error', 'inputRequests']) expect(still).not.toHaveProperty(absent);
  });

  it('cancel their questions, too', async () => {
    const task = await start(client, 'approve', { name: 'rye' });
    await reach(client, task, 'input_required');
    await client.request('tasks/cancel', { taskId: task.taskId });
    expect(await get(client, task)).toMatchObject({ status: 'cancelled' });
    await answer(client, task, { approval: accept() });
    expect(await get(client, task)).not.toHaveProperty('inputRequests');
  });

  it('begin where their handler says so, after the questions of the request [TASK-031]', async () => {
    const params = { name: 'later', arguments: { name: 'rye' } };
    const asked = await client.request('tools/call', params);
    expect(asked).toMatchObject({ resultType: 'input_required', inputRequests: { first: {} } });
    expect(asked).not.toHaveProperty('taskId');
    const { requestState } = asked as { requestState: string };
    const task = await client.request('tools/call', { ...params, inputResponses: { first: accept() }, requestState });
    expect(task).toMatchObject({ resultType: 'task', ttlMs: 60_000, pollIntervalMs: 250 });
    expect(task).not.toHaveProperty('requestState');
    const asking = await reach(client, task as { taskId: string } & JsonObject, 'input_required');
    expect(Object.keys(asking['inputRequests'] as JsonObject)).toEqual(['second']);
    await answer(client, asking, { second: accept() });
    expect(textOf(await reach(client, asking, 'completed'))).toBe('rye accept true');
  });

  it('are no task where the handler ends before that', async () => {
    const params = { name: 'later', arguments: { name: 'rye' } };
    const { requestState } = (await client.request('tools/call', params)) as { requestState: string };
    const inputResponses = { first: { action: 'decline' } };
    const done = await client.request('tools/call', { ...params, inputResponses, requestState });
    expect(done).toMatchObject({ resultType: 'complete' });
    expect(textOf(done)).toBe('Nothing was taken.');
  });

  it('are sent to those who listen, whole, and from where they are [TASK-039, TASK-040]', async () => {
    const task = await start(client, 'approve', { name: 'heard' });
    await reach(client, task, 'input_required');
    // As many as a subscription may name.
    const wanted = { taskIds: [task.taskId, ...Array<string>(999).fill(UNKNOWN)] };
    const listening = client.start('subscriptions/listen', { notifications: wanted });
    listening.result.catch(() => undefined);
    const isOf = ({ params }: { params?: unknown }): boolean => (params as JsonObject)['taskId'] === task.taskId;
    const heard = (): JsonObject[] =>
      client
        .notifications('notifications/tasks')
        .filter(isOf)
        .map(({ params }) => params as JsonObject);
    while (heard().length === 0) await new Promise(setImmediate);
    const acknowledged = client.notifications('notifications/subscriptions/acknowledged').at(-1);
    expect(acknowledged?.params).toMatchObject({ notifications: { taskIds: [task.taskId] } });
    const { resultType: _asking, _meta, ...asking } = await get(client, task);
    expect(heard()).toEqual([{ ...asking, _meta: { 'io.modelcontextprotocol/subscriptionId': listening.id } }]);
    await answer(client, task, { approval: accept() });
    await reach(client, task, 'completed');
    while (heard().at(-1)?.['status'] !== 'completed') await new Promise(setImmediate);
    const { resultType: _type, _meta: _server, ...done } = await get(client, task);
    expect(heard().at(-1)).toMatchObject(done);
    expect(client.notifications('notifications/progress')).toEqual([]);
    client.cancel(listening.id);
  });

  it('have ids that nobody knows by chance [TASK-037]', async () => {
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
      for (const taskId of [UNKNOWN, '', 'x'.repeat(4000), '../../etc/passwd', '__proto__'])
        await expect(client.request(method, { taskId, inputResponses: {} })).rejects.toMatchObject({
          code: -32602,
          message: `Unknown task: ${taskId.slice(0, 64)}`,
        });
  });

  it('refuse parameters that are malformed', async () => {
    const { taskId } = await start(client, 'bake', { name: 'rye' });
    const refused: readonly (readonly [string, JsonObject, string])[] = [
      ['tasks/get', {}, 'params.taskId must be a string'],
      ['tasks/cancel', { taskId: 7 }, 'params.taskId must be a string'],
      ['tasks/update', { taskId }, 'params.inputResponses must be an object'],
      ['tasks/update', { taskId, inputResponses: [] }, 'params.inputResponses must be an object'],
      ['tasks/update', { taskId, inputResponses: { a: 1 } }, 'params.inputResponses.a must be an object'],
    ];
    for (const [method, params, message] of refused)
      await expect(client.request(method, params)).rejects.toMatchObject({ code: -32602, message });
    for (const taskIds of ['all', [7], Array.from({ length: 1001 }, () => 'x')])
      await expect(client.request('subscriptions/listen', { notifications: { taskIds } })).rejects.toMatchObject({
        code: -32602,
      });
  });

  it('have no methods but those of the extension, and ignore the parameter of older tasks [TASK-041, TASK-042, TASK-026]', async () => {
    for (const method of ['tasks/list', 'tasks/result'])
      await expect(client.request(method, { taskId: UNKNOWN })).rejects.toMatchObject({ code: -32601 });
    const said = await client.request('tools/call', { name: 'today', arguments: {}, task: { ttl: 1 } });
    expect(said).toMatchObject({ resultType: 'complete' });
  });

  it('are for clients that declare them, with each request [TASK-024, TASK-025, TASK-038, TASK-044]', async () => {
    const { taskId } = await start(client, 'bake', { name: 'rye' });
    const plain = await connect(opened.target, {
      revision: WITH_TASKS,
      capabilities: { tasks: { requests: { tools: { call: {} } } } } as JsonObject,
    });
    expect(await call(plain, 'bake', { name: 'rye' })).toMatchObject({ resultType: 'complete' });
    const missing = { code: -32021, data: { requiredCapabilities: { extensions: { [TASKS]: {} } } } };
    await expect(call(plain, 'night-shift')).rejects.toMatchObject(missing);
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
      await expect(plain.request(method, { taskId, inputResponses: {} })).rejects.toMatchObject(missing);
    const listening = plain.request('subscriptions/listen', { notifications: { taskIds: [taskId] } });
    await expect(listening).rejects.toMatchObject(missing);
    await plain.close();
  });

  it.each(OLDER)(
    'are calls as ever on %s, with progress and questions [TASK-043, TASK-001, TASK-002, TASK-009, TASK-010, TASK-020]',
    async (revision) => {
      const older = await connect(opened.target, {
        revision,
        capabilities: CAPABILITIES,
        answers: () => ({ action: 'accept', content: { ok: true } }),
      });
      const first = older.traffic.find(({ from, text }) => from === 'server' && text.includes('"capabilities"'));
      const { result } = JSON.parse(first?.text ?? '{}') as { result: { capabilities: JsonObject } };
      expect(result.capabilities).not.toHaveProperty('tasks');
      expect(result.capabilities).not.toHaveProperty('extensions');
      const params = { name: 'bake', arguments: { name: 'rye', pieces: 2 }, task: { ttl: 1000 } };
      expect(textOf(await older.request('tools/call', params))).toBe('Baked 2 rye.');
      // Questions exist since 2025-06-18.
      if (revision >= '2025-06-18') expect(textOf(await call(older, 'approve', { name: 'rye' }))).toBe('Baked rye.');
      // Questions exist since 2025-06-18.
      if (revision >= '2025-06-18') expect(textOf(await call(older, 'approve', { name: 'rye' }))).toBe('Baked rye.');
      await expect(older.request('tools/call', { name: 'night-shift', arguments: {} })).rejects.toThrow(TASKS);
      for (const method of ['tasks/get', 'tasks/list', 'tasks/result', 'tasks/cancel'])
        await expect(older.request(method, { taskId: UNKNOWN })).rejects.toMatchObject({ code: -32601 });
      const said = older.traffic.filter(({ from }) => from === 'server').map(({ text }) => text);
      expect(said.join()).not.toMatch(/related-task|taskId/);
      await older.close();
    },
  );
});
