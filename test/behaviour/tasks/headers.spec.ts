/** The header `Mcp-Name` of the methods of tasks, and what their refusals look like over HTTP. */
import { META_KEYS } from '@sigil-mcp/protocol';
import { TASKS } from '@sigil-mcp/tasks';
import { as, believing, request, serve, type HttpAnswer, type OpenServer } from '../http/http-server';
import { bakeryDefinition } from './bakery/bakery';
import { WITH_TASKS } from './task-client';

let open: OpenServer;
beforeEach(async () => {
  open = await serve(
    bakeryDefinition(undefined, { limits: { tasksPerClient: 1, polls: { calls: 2, per: 'minute' } } }),
    {
      auth: believing,
    },
  );
});
afterEach(() => open.close());

const META = {
  [META_KEYS.protocolVersion]: WITH_TASKS,
  [META_KEYS.clientCapabilities]: { elicitation: { form: {} }, extensions: { [TASKS]: {} } },
};

function send(method: string, params: object, headers: Record<string, string>): Promise<HttpAnswer> {
  const sent = { 'mcp-protocol-version': WITH_TASKS, 'mcp-method': method, ...as('ada'), ...headers };
  return open.post(request(1, method, { ...params, _meta: META }), sent);
}

async function start(): Promise<string> {
  const made = await send('tools/call', { name: 'approve', arguments: { name: 'rye' } }, { 'mcp-name': 'approve' });
  return String(made.messages[0]?.result?.['taskId']);
}

it.each(['tasks/get', 'tasks/update', 'tasks/cancel'])(
  'repeats the id of the task in %s [TASK-045]',
  async (method) => {
    const taskId = await start();
    const params = { taskId, inputResponses: {} };
    expect((await send(method, params, { 'mcp-name': taskId })).messages[0]?.result).toMatchObject({
      resultType: 'complete',
    });
    for (const wrong of [{ 'mcp-name': 'AAAAAAAAAAAAAAAAAAAAAA' }, {}]) {
      const refused = await send(method, params, wrong);
      expect([refused.status, refused.messages[0]?.error?.code]).toEqual([400, -32020]);
    }
  },
);

it('says with the status what is too much, and when to try again', async () => {
  const taskId = await start();
  const full = await send('tools/call', { name: 'approve', arguments: { name: 'rye' } }, { 'mcp-name': 'approve' });
  expect([full.status, full.headers.get('retry-after')]).toEqual([429, '10']);
  const get = (): Promise<HttpAnswer> => send('tasks/get', { taskId }, { 'mcp-name': taskId });
  await get();
  await get();
  const often = await get();
  expect([often.status, often.headers.get('retry-after')]).toEqual([429, '30']);
});
