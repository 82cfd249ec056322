/** What a client does with tasks, in the words of the specification. */
import type { JsonObject } from '@sigil-mcp/protocol';
import type { TestClient } from '@sigil-mcp/testing';
import { TASKS } from '@sigil-mcp/tasks';

/** The capabilities of a client that knows tasks and can be asked. */
export const CAPABILITIES = { elicitation: { form: {} }, sampling: {}, extensions: { [TASKS]: {} } };
/** The revision with the extension. */
export const WITH_TASKS = '2026-07-28';

/** A task as it was answered. */
export interface Task extends JsonObject {
  readonly taskId: string;
  readonly status: string;
}

/** Calls a tool. */
export function call(client: TestClient, name: string, args: JsonObject = {}): Promise<JsonObject> {
  return client.request('tools/call', { name, arguments: args });
}

/** Calls a tool that becomes a task. */
export async function start(client: TestClient, name: string, args: JsonObject = {}): Promise<Task> {
  const task = await call(client, name, args);
  expect(task['resultType']).toBe('task');
  return task as Task;
}

/** A task as it is now. */
export async function get(client: TestClient, { taskId }: Pick<Task, 'taskId'>): Promise<Task> {
  return (await client.request('tasks/get', { taskId })) as Task;
}

/** A task, once it has one of these states. */
export async function reach(
  client: TestClient,
  task: Pick<Task, 'taskId'>,
  ...states: readonly string[]
): Promise<Task> {
  for (;;) {
    const now = await get(client, task);
    if (states.includes(now.status)) return now;
    if (['completed', 'failed', 'cancelled'].includes(now.status))
      throw new Error(`the task is ${JSON.stringify(now)}, and not ${states.join(' or ')}`);
    await new Promise(setImmediate);
  }
}

/** Answers questions of a task. */
export function answer(
  client: TestClient,
  { taskId }: Pick<Task, 'taskId'>,
  inputResponses: JsonObject,
): Promise<JsonObject> {
  return client.request('tasks/update', { taskId, inputResponses });
}

/** What a form is answered with. */
export const accept = (content: JsonObject = { ok: true }): JsonObject => ({ action: 'accept', content });

/** The text of a result, or of that of a task. */
export function textOf(result: JsonObject): unknown {
  const { content } = (result['result'] ?? result) as { content?: readonly { text?: unknown }[] };
  return content?.[0]?.text;
}
