/**
 * The methods, the result and the notification of the extension.
 * @see https://github.com/modelcontextprotocol/ext-tasks/blob/main/specification/draft/tasks.md
 */
import {
  ProtocolError,
  type JsonObject,
  type NotificationOperation,
  type Operation,
  type ResultType,
} from '@sigil-mcp/core';
import { isObject } from '@sigil-mcp/core/internal';
import type { DetailedTask, TaskView } from '../record/task-view';

/** The parameters of a method about one task. */
export interface TaskParams {
  readonly taskId: string;
}

/** The parameters of `tasks/update`. */
export interface UpdateParams extends TaskParams {
  /** What the client answers, by the keys of the questions. */
  readonly inputResponses: Readonly<Record<string, JsonObject>>;
}

/** `tasks/get`. */
export const TASKS_GET: Operation<'tasks/get', TaskParams, DetailedTask> = operation('tasks/get', readTask);

/** `tasks/update`. */
export const TASKS_UPDATE: Operation<'tasks/update', UpdateParams> = operation('tasks/update', (params) => ({
  ...readTask(params),
  inputResponses: readResponses(params['inputResponses']),
}));

/** `tasks/cancel`. */
export const TASKS_CANCEL: Operation<'tasks/cancel', TaskParams> = operation('tasks/cancel', readTask);

/** The result of a call that has become a task. */
export const TASK: ResultType<TaskView> = {
  name: 'task',
  methods: ['tools/call'],
  write: same,
  read: asGiven<TaskView>,
};

/** `notifications/tasks`. */
export const TASK_CHANGED: NotificationOperation<'notifications/tasks', DetailedTask> = {
  method: 'notifications/tasks',
  compile: () => ({ readParams: asGiven<DetailedTask>, writeParams: same }),
};

function operation<M extends string, P extends object, R extends object>(
  method: M,
  readParams: (params: JsonObject) => P,
): Operation<M, P, R> {
  return {
    method,
    nameParameter: 'taskId',
    compile: () => ({ readParams, writeParams: same, writeResult: same, readResult: asGiven<R> }),
  };
}

function readTask({ taskId }: JsonObject): TaskParams {
  if (typeof taskId !== 'string') throw new ProtocolError('invalid-params', 'params.taskId must be a string');
  return { taskId };
}

function readResponses(value: unknown): Readonly<Record<string, JsonObject>> {
  if (!isObject(value) || Array.isArray(value))
    throw new ProtocolError('invalid-params', 'params.inputResponses must be an object');
  for (const [key, response] of Object.entries(value))
    if (!isObject(response) || Array.isArray(response))
      throw new ProtocolError('invalid-params', `params.inputResponses.${key.slice(0, 100)} must be an object`);
  // Every member is an object of JSON.
  return value as Readonly<Record<string, JsonObject>>;
}

function same(value: object): JsonObject {
  return { ...value };
}

/** Clients of this package read what the server wrote, as JSON. */
function asGiven<R>(result: JsonObject): R {
  return result as R;
}
