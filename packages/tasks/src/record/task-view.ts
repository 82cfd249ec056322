/**
 * A task, as clients see it.
 * @see https://github.com/modelcontextprotocol/ext-tasks/blob/main/specification/draft/tasks.md
 */
import type { JsonObject } from '@sigil-mcp/core';
import type { TaskState, TaskStatus } from './task-state';

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

/** The members that every task has. */
export function viewOf(state: TaskState): TaskView {
  const { id, status, message, createdAt, updatedAt, ttl, pollInterval } = state;
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

/** The task with what its status adds. */
export function detailsOf(state: TaskState): DetailedTask {
  const { status, questions, result, error } = state;
  const asked = Object.entries(questions).map(([key, { request }]) => [key, request] as const);
  return {
    ...viewOf(state),
    // Requests to clients are JSON.
    ...(status === 'input_required' && { inputRequests: Object.fromEntries(asked) as unknown as JsonObject }),
    ...(status === 'completed' && { result: result ?? {} }),
    ...(status === 'failed' && error && { error }),
  };
}

/** Whether clients see a difference. */
export function isSameView(one: TaskState, other: TaskState): boolean {
  return one.status === other.status && one.message === other.message && one.questions === other.questions;
}
