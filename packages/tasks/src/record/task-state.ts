/** The state of a task: all that is known of it, as plain JSON. */
import type { BackgroundOutcome, CallRecord, JsonObject, LiveQuestion } from '@sigil-mcp/core';

/** The states of the specification. The last three are the end. */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** The error of a task that has failed, as JSON-RPC has it. */
export type TaskError = Extract<BackgroundOutcome, { kind: 'error' }>['error'];

/** A worker that has a task. */
export interface TaskRun {
  /** The name of the worker. */
  readonly worker: string;
  /** Larger with each worker that takes the task: what a worker writes with an older one is refused. */
  readonly fence: number;
  /** When the worker counts as lost, in milliseconds since 1970; null while its handler waits for answers. */
  readonly until: number | null;
}

/** A task. */
export interface TaskState {
  readonly id: string;
  /** The name of its tool. */
  readonly tool: string;
  readonly status: TaskStatus;
  /** What it does now, or how it ended; for people. */
  readonly message?: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Milliseconds from its creation; null for ever. */
  readonly ttl: number | null;
  /** Milliseconds between polls. */
  readonly pollInterval: number;
  /** The principal that it belongs to; null for a caller whose identity was not proven. */
  readonly owner: string | null;
  /** Whose limits it counts against. */
  readonly holder: string;
  /** How many more workers may be lost. */
  readonly retries: number;
  /** The fence of the last worker that took it. */
  readonly fence: number;
  readonly run: TaskRun | null;
  /** When any worker may take it, in milliseconds since 1970: later than now while the handler that waited for the answer is preferred. */
  readonly readyAt: number;
  /** The call, with the answers so far and what it has kept. */
  readonly call: CallRecord;
  /** Questions without an answer, by their keys. */
  readonly questions: Readonly<Record<string, Omit<LiveQuestion, 'key'>>>;
  readonly result?: JsonObject;
  readonly error?: TaskError;
}

/** Whether a task has ended. */
export function isEnded({ status }: Pick<TaskState, 'status'>): boolean {
  return status !== 'working' && status !== 'input_required';
}
