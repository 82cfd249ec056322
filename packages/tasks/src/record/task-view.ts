/**
 * A task, as clients see it.
 * @see https://github.com/modelcontextprotocol/ext-tasks/blob/main/specification/draft/tasks.md
 */
import type { JsonObject } from '@sigil-mcp/core';
import type { TaskState, TaskStatus } from './task-state';
import { isQueued } from './transitions';

/** The members that every task has. */
export interface TaskView {
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  /** Milliseconds from its creation; null for ever. */
  readonly ttlMs: number | null;
  readonly pollIntervalMs: number;
}

/** A task with what its status adds. */
export interface DetailedTask extends TaskView {
  /** While it is `input_required`: the questions without an answer, by their keys. */
  readonly inputRequests?: JsonObject;
  /** Once it is `completed`: the result of the tool. */
  readonly result?: JsonObject;
  /** Once it has `failed`: an error of JSON-RPC. */
  readonly error?: object;
}

const QUEUED = 'The task waits for its turn.';

/** The members that every task has. @param now the time of the store, in milliseconds since 1970 */
export function viewOf(state: TaskState, now: number): TaskView {
  const { id, status, createdAt, updatedAt, ttl, pollInterval } = state;
  const message = isQueued(state, now) ? QUEUED : state.message;
  return {
    taskId: id,
    status,
    ...(message !== undefined && { statusMessage: message }),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
    ttlMs: ttl,
    pollIntervalMs: pollInterval,
  };
}

/** The task with what its status adds. @param now the time of the store, in milliseconds since 1970 */
export function detailsOf(state: TaskState, now: number): DetailedTask {
  const { status, questions, result, error } = state;
  const asked = Object.entries(questions).map(([key, { request }]) => [key, request] as const);
  return {
    ...viewOf(state, now),
    // Requests to clients are JSON.
    ...(status === 'input_required' && { inputRequests: Object.fromEntries(asked) as unknown as JsonObject }),
    ...(status === 'completed' && { result: result ?? {} }),
    ...(status === 'failed' && error && { error }),
  };
}

/** Whether clients see a difference between a task as it was until now, and as it is. */
export function isSameView(before: TaskState, next: TaskState, now: number): boolean {
  const isSame =
    before.status === next.status && before.message === next.message && before.questions === next.questions;
  return isSame && isQueued(before, now) === isQueued(next, now);
}
