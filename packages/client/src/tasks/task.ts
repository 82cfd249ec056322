/**
 * A task, as a server reports it.
 * @see https://github.com/modelcontextprotocol/ext-tasks/blob/main/specification/draft/tasks.md
 */
import { isObject } from '@sigil-mcp/base';
import { ProtocolError, type ErrorObject, type JsonObject } from '@sigil-mcp/protocol';
import { errorOf } from '../rpc-error';

/** The name of the extension, as capabilities have it. */
export const TASKS = 'io.modelcontextprotocol/tasks';

const STATUSES = ['working', 'input_required', 'completed', 'failed', 'cancelled'] as const;

/** The last three are final. */
type Status = (typeof STATUSES)[number];

/** A question of a task. */
export interface TaskQuestion {
  /** `elicitation/create`, `sampling/createMessage` or `roots/list`. */
  readonly method: string;
  readonly params: JsonObject;
}

/** A call that outlives its request. */
export interface Task {
  readonly taskId: string;
  /** What it does, or how it ended: the last three are final. */
  readonly status: Status;
  /** What it does now, or how it ended; for people. Undefined if the server does not say. */
  readonly statusMessage: string | undefined;
  /** When it was created, ISO 8601. */
  readonly createdAt: string;
  /** When it was changed, ISO 8601. */
  readonly lastUpdatedAt: string;
  /** Milliseconds from its creation after which the server may forget it; null for never. */
  readonly ttlMs: number | null;
  /** Milliseconds that the server wants between two polls; undefined if it does not say. */
  readonly pollIntervalMs: number | undefined;
  /** The questions without an answer, by their keys; empty unless the status is `input_required`. */
  readonly inputRequests: Readonly<Record<string, TaskQuestion>>;
  /** The result of the tool, if the status is `completed`. */
  readonly result: JsonObject | undefined;
  /** The error of the call, if the status is `failed`. */
  readonly error: ErrorObject | undefined;
}

/** Whether a task has ended: it does not change any more. */
export function hasEnded({ status }: Task): boolean {
  return status !== 'working' && status !== 'input_required';
}

/** Reads a task. @throws ProtocolError that names the member that does not fit */
export function readTask(task: JsonObject): Task {
  const { status, statusMessage, ttlMs, pollIntervalMs } = task;
  const known = STATUSES.find((one) => one === status);
  if (known === undefined) throw wrong('status', `one of ${STATUSES.join(', ')}`);
  const taskId = textOf(task, 'taskId');
  if (taskId === '') throw wrong('taskId', 'a string that is not empty');
  return {
    taskId,
    status: known,
    statusMessage: typeof statusMessage === 'string' ? statusMessage : undefined,
    createdAt: textOf(task, 'createdAt'),
    lastUpdatedAt: textOf(task, 'lastUpdatedAt'),
    ttlMs: typeof ttlMs === 'number' ? ttlMs : null,
    pollIntervalMs: typeof pollIntervalMs === 'number' && pollIntervalMs >= 0 ? pollIntervalMs : undefined,
    inputRequests: known === 'input_required' ? readQuestions(task['inputRequests']) : {},
    result: known === 'completed' ? readResult(task['result']) : undefined,
    error: known === 'failed' ? readError(task) : undefined,
  };
}

function textOf(task: JsonObject, name: string): string {
  const value = task[name];
  if (typeof value !== 'string') throw wrong(name, 'a string');
  return value;
}

/** The answer to `tools/call` and the answer to `tasks/get` read alike: only the latter has the questions. */
function readQuestions(value: unknown = {}): Record<string, TaskQuestion> {
  if (!isObject(value)) throw wrong('inputRequests', 'an object');
  const questions = Object.entries(value).map(([key, question]): [string, TaskQuestion] => {
    if (!isObject(question) || typeof question['method'] !== 'string') throw wrong(`inputRequests.${key}`, 'a request');
    const { method, params } = question;
    // The members of JSON are JSON.
    return [key, { method, params: isObject(params) ? (params as JsonObject) : {} }];
  });
  return Object.fromEntries(questions);
}

function readResult(value: unknown): JsonObject {
  if (!isObject(value)) throw wrong('result', 'an object');
  // The members of JSON are JSON.
  return value as JsonObject;
}

function readError(task: JsonObject): ErrorObject {
  const error = errorOf(task);
  if (!error) throw wrong('error', 'an error of JSON-RPC');
  return error;
}

function wrong(member: string, wanted: string): ProtocolError {
  return new ProtocolError('invalid-params', `${member} must be ${wanted}`);
}
