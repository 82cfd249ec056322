/** Where a platform lets nothing start before the first request, that request starts the server, and nothing of the server belongs to it. */
import { createServer, tool } from '@sigil-mcp/core';
import { createFetchHandler } from '@sigil-mcp/http/fetch';
import { tasks } from '@sigil-mcp/tasks';
import { META_KEYS } from '@sigil-mcp/protocol';
import { CAPABILITIES, WITH_TASKS, textOf } from '../tasks/task-client';
import { as, PROGRAM, user } from './requests-of-users';

const META = { [META_KEYS.protocolVersion]: WITH_TASKS, [META_KEYS.clientCapabilities]: CAPABILITIES };

type Answer = { readonly result: { readonly taskId: string; readonly status: string } };

it('a task of the request that starts the server runs outside of it', async () => {
  const who = tool('who', { description: 'Says whose request it is in', task: 'optional' }, () => user());
  const server = createServer({
    name: 'desk',
    version: '1.0.0',
    logger: false,
    features: [who],
    extensions: [tasks()],
  });
  const forbidden = jest.spyOn(crypto, 'getRandomValues').mockImplementation(() => {
    throw new Error('Not before the first request.');
  });
  const handle = as(PROGRAM, () => createFetchHandler(server));
  forbidden.mockRestore();
  expect(server.isListening).toBe(false);
  const ask = (method: string, params: { readonly name?: string; readonly taskId?: string }): Promise<Answer> =>
    as('ada', async () => {
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': WITH_TASKS,
        'mcp-method': method,
        'mcp-name': params.name ?? params.taskId ?? '',
      };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } });
      const response = await handle(new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body }));
      return (await response.json()) as Answer;
    });
  const { taskId } = (await ask('tools/call', { name: 'who' })).result;
  let task = (await ask('tasks/get', { taskId })).result;
  while (task.status === 'working') task = (await ask('tasks/get', { taskId })).result;
  expect(textOf(task)).toBe(PROGRAM);
  await handle.close();
});
