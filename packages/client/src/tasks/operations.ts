/**
 * The methods, the result and the notification of the extension, for clients.
 * @see https://github.com/modelcontextprotocol/ext-tasks/blob/main/specification/draft/tasks.md
 */
import type { JsonObject, NotificationOperation, Operation, ResultType } from '@sigil-mcp/protocol';
import { readTask, type Task } from './task';

/** The parameters of a method about one task. */
export interface AboutTask {
  readonly taskId: string;
}

/** The parameters of `tasks/update`. */
export interface TaskAnswers extends AboutTask {
  /** The results of questions, by their keys. */
  readonly inputResponses: JsonObject;
}

/** `tasks/get`: the task, with its questions, its result or its error. */
export const TASKS_GET: Operation<'tasks/get', AboutTask, Task> = operation('tasks/get', readTask);

/** `tasks/update`: answers questions of the task. */
export const TASKS_UPDATE: Operation<'tasks/update', TaskAnswers> = operation('tasks/update', same);

/** `tasks/cancel`: asks the server to end the task. */
export const TASKS_CANCEL: Operation<'tasks/cancel', AboutTask> = operation('tasks/cancel', same);

/** The result of a call that has become a task. */
export const TASK: ResultType<Task> = { name: 'task', methods: ['tools/call'], write: same, read: readTask };

/** `notifications/tasks`: the task, as `tasks/get` has it. */
export const TASK_CHANGED: NotificationOperation<'notifications/tasks', Task> = {
  method: 'notifications/tasks',
  compile: () => ({ readParams: readTask, writeParams: same }),
};

function operation<M extends string, P extends AboutTask, R extends object>(
  method: M,
  readResult: (result: JsonObject) => R,
): Operation<M, P, R> {
  return {
    method,
    nameParameter: 'taskId',
    // Parameters are read by servers, and those of Sigil have their own.
    compile: () => ({
      readParams: (params) => params as P & JsonObject,
      writeParams: same,
      writeResult: same,
      readResult,
    }),
  };
}

function same(value: object): JsonObject {
  return { ...value };
}
