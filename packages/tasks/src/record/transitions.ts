/**
 * What can happen to a task: each function makes the next state of a state, or returns undefined where it does not apply. Stores compare
 * versions, so that of two changes at the same time one is made on top of the other.
 * @see https://github.com/modelcontextprotocol/ext-tasks/blob/main/specification/draft/tasks.md
 */
import type {
  BackgroundOutcome,
  CallerRecord,
  CallRecord,
  JsonObject,
  LiveQuestion,
  StoredValue,
} from '@sigil-mcp/core';
import { isEnded, type TaskError, type TaskRun, type TaskState } from './task-state';

/** Milliseconds for which a handler that waits is preferred when its answer has arrived. */
const HANDOVER = 1000;
/** Milliseconds that a task is kept after its end, if its time has ended earlier. */
const KEPT_AFTER_END = 300_000;
/** Milliseconds that a store keeps a task which nobody has removed: no server has looked for so long. */
const KEPT_UNATTENDED = 86_400_000;
/** Milliseconds after which a task that no worker has says so. */
const SHORT_WAIT = 1000;
/** JSON-RPC's code of an internal error. */
const INTERNAL_ERROR = -32603;

/** The settings of a new task. */
export interface NewTask {
  /** The name of its tool. */
  readonly tool: string;
  readonly id: string;
  readonly call: CallRecord;
  readonly owner: string | null;
  readonly holder: string;
  readonly ttl: number | null;
  readonly pollInterval: number;
  readonly retries: number;
}

/** A task that nobody has taken yet. */
export function newTask(task: NewTask, now: number): TaskState {
  return {
    ...task,
    status: 'working',
    createdAt: now,
    updatedAt: now,
    fence: 0,
    run: null,
    readyAt: now,
    questions: {},
  };
}

/** When the time of a task has ended, in milliseconds since 1970. */
export function endOfTime({ createdAt, ttl }: TaskState): number {
  return ttl === null ? Infinity : createdAt + ttl;
}

/** When a worker has to look at a task, in milliseconds since 1970. */
export function dueAt(state: TaskState): number {
  const end = endOfTime(state);
  if (isEnded(state)) return Math.max(end, state.updatedAt + KEPT_AFTER_END);
  if (state.status === 'input_required') return end;
  return Math.min(state.run?.until ?? state.readyAt, end);
}

/** When nobody needs a task any more, also if no server removes it, in milliseconds since 1970. */
export function keptUntil(state: TaskState): number {
  return Math.max(endOfTime(state), state.updatedAt + KEPT_AFTER_END) + KEPT_UNATTENDED;
}

/** Whether a task is ready, and waits for a worker. */
export function isQueued({ status, run, readyAt }: TaskState, now: number): boolean {
  return status === 'working' && run === null && readyAt + SHORT_WAIT <= now;
}

/** Whether a task is kept no longer. */
export function isOver(state: TaskState, now: number): boolean {
  return isEnded(state) && dueAt(state) <= now;
}

/** The outcome of the time that passes: a task ends when its time has ended, or when its worker was lost once too often. */
export function pass(state: TaskState, now: number): TaskState | undefined {
  if (isEnded(state)) return undefined;
  if (endOfTime(state) <= now) return fail(state, `The task was not done within ${state.ttl} ms.`, now);
  if (!isLost(state, now) || state.retries > 0) return undefined;
  const message =
    'The worker of the task was lost while it worked, and the tool does not say that it may run again (task: { retry }).';
  return fail(state, message, now);
}

/** A worker takes a task that is ready, or whose worker was lost. */
export function claim(state: TaskState, worker: string, lease: number, now: number): TaskState | undefined {
  if (state.status !== 'working' || endOfTime(state) <= now) return undefined;
  const lost = isLost(state, now);
  if (lost && state.retries === 0) return undefined;
  if (!lost && (hasLease(state) || state.readyAt > now)) return undefined;
  const fence = state.fence + 1;
  const retries = state.retries - (lost ? 1 : 0);
  return { ...state, fence, retries, run: { worker, fence, until: now + lease } };
}

/** The worker goes on working. */
export function renew(state: TaskState, fence: number, lease: number, now: number): TaskState | undefined {
  const run = runOf(state, fence);
  if (!run || run.until === null) return undefined;
  return { ...state, run: { ...run, until: now + lease } };
}

/** The handler goes on after its answers have arrived, in the process where it waited. A second time it only renews the lease. */
export function resume(state: TaskState, fence: number, lease: number, now: number): TaskState | undefined {
  const run = runOf(state, fence);
  if (state.status !== 'working' || !run) return undefined;
  return { ...state, run: { ...run, until: now + lease } };
}

/** The handler asks its client something. A second time nothing changes: the client may have answered meanwhile. */
export function ask(
  state: TaskState,
  fence: number,
  { key, ...question }: LiveQuestion,
  now: number,
): TaskState | undefined {
  const run = runOf(state, fence);
  if (!run) return undefined;
  if (Object.hasOwn(state.call.memory.answers, key)) return state;
  return {
    ...state,
    status: 'input_required',
    updatedAt: now,
    run: { ...run, until: null },
    questions: { ...state.questions, [key]: question },
  };
}

/** A result of `once` is kept. */
export function keep(state: TaskState, fence: number, key: string, value: StoredValue): TaskState | undefined {
  if (!runOf(state, fence)) return undefined;
  const { memory } = state.call;
  return withMemory(state, { ...memory, kept: { ...memory.kept, [key]: value } });
}

/** The handler reports its progress. */
export function report(state: TaskState, fence: number, message: string, now: number): TaskState | undefined {
  if (!runOf(state, fence) || state.message === message) return undefined;
  return { ...state, message, updatedAt: now };
}

/**
 * The client answers questions: those that are open count, others are ignored. When none is open, the task goes on.
 * @param caller the client's rights now; a handler that began with others runs again from its beginning
 */
export function answer(
  state: TaskState,
  responses: Readonly<Record<string, JsonObject>>,
  caller: CallerRecord,
  now: number,
): TaskState | undefined {
  if (state.status !== 'input_required') return undefined;
  const answered = Object.keys(responses).filter((key) => Object.hasOwn(state.questions, key));
  if (answered.length === 0) return undefined;
  const { memory } = state.call;
  const given = answered.map((key) => {
    const { digest = '', label = '' } = state.questions[key] ?? {};
    return [key, { result: responses[key] ?? {}, digest, label }] as const;
  });
  const answers = Object.fromEntries([...Object.entries(memory.answers), ...given]);
  const questions = Object.fromEntries(Object.entries(state.questions).filter(([key]) => !answered.includes(key)));
  const asked = withMemory({ ...state, questions, updatedAt: now }, { ...memory, answers });
  const next = withRights(asked, caller);
  if (Object.keys(questions).length > 0) return next;
  return { ...next, status: 'working', readyAt: next.run ? now + HANDOVER : now };
}

/** The rights of the caller are others now; a handler that began with the old ones does not go on. */
export function withRights(state: TaskState, caller: CallerRecord): TaskState {
  if (JSON.stringify(rightsOf(caller)) === JSON.stringify(rightsOf(state.call.caller))) return state;
  return { ...state, run: null, call: { ...state.call, caller } };
}

/** The handler was ended at its question; it runs again when the answers are there. */
export function release(state: TaskState, fence: number, now: number): TaskState | undefined {
  return runOf(state, fence) && { ...state, run: null, readyAt: now };
}

/** The worker stops while the handler works. */
export function interrupt(state: TaskState, fence: number, now: number): TaskState | undefined {
  if (!runOf(state, fence)) return undefined;
  // The handler only waits.
  if (state.run?.until === null) return release(state, fence, now);
  if (state.retries > 0) return { ...state, run: null, readyAt: now, retries: state.retries - 1 };
  const message =
    'The server was closed while the task worked, and the tool does not say that it may run again (task: { retry }).';
  return fail(state, message, now);
}

/** The handler has returned. */
export function complete(state: TaskState, fence: number, result: JsonObject, now: number): TaskState | undefined {
  return runOf(state, fence) && { ...ended(state, now), status: 'completed', result };
}

/** The call was refused, or has failed with an error of the protocol. */
export function refuse(state: TaskState, fence: number, error: TaskError, now: number): TaskState | undefined {
  return runOf(state, fence) && { ...ended(state, now), status: 'failed', message: error.message, error };
}

/** What the end of a handler makes of its task. @param message its last progress, if that is not written yet */
export function endOf(
  outcome: BackgroundOutcome,
  fence: number,
  message: string | undefined,
): (state: TaskState, now: number) => TaskState | undefined {
  return (before, now) => {
    const state = (message === undefined ? undefined : report(before, fence, message, now)) ?? before;
    if (outcome.kind === 'result') return complete(state, fence, outcome.result, now);
    if (outcome.kind === 'error') return refuse(state, fence, outcome.error, now);
    if (outcome.kind === 'suspended') return release(state, fence, now);
    return interrupt(state, fence, now);
  };
}

/** Nobody wants the task any more. */
export function cancel(state: TaskState, now: number): TaskState | undefined {
  if (isEnded(state)) return undefined;
  return { ...ended(state, now), status: 'cancelled', message: 'The client has cancelled the task.' };
}

/** The run of a worker has failed. */
export function failRun(state: TaskState, fence: number, message: string, now: number): TaskState | undefined {
  return runOf(state, fence) && fail(state, message, now);
}

/** The task cannot be done. */
export function fail(state: TaskState, message: string, now: number): TaskState {
  return { ...ended(state, now), status: 'failed', message, error: { code: INTERNAL_ERROR, message } };
}

/** The work of a worker that was lost; a handler that only waits is not lost, because it can run again. */
function isLost({ status, run }: TaskState, now: number): boolean {
  return status === 'working' && run !== null && run.until !== null && run.until <= now;
}

/** Whether a worker works on it; not where its handler only waits. */
function hasLease({ run }: TaskState): boolean {
  return run !== null && run.until !== null;
}

/** The run of the worker with a fence; undefined if it has the task no longer. */
function runOf(state: TaskState, fence: number): TaskRun | undefined {
  return !isEnded(state) && state.run?.fence === fence ? state.run : undefined;
}

/** What was asked, answered and kept is not needed any more. */
function ended(state: TaskState, now: number): TaskState {
  const { memory } = state.call;
  const forgotten: CallRecord = { ...state.call, params: {}, memory: { ...memory, answers: {}, kept: {} } };
  return { ...state, updatedAt: now, run: null, questions: {}, call: forgotten };
}

function withMemory(state: TaskState, memory: CallRecord['memory']): TaskState {
  return { ...state, call: { ...state.call, memory } };
}

function rightsOf({ scopes, roles, kind, isWithoutToken }: CallerRecord): unknown {
  return [kind, isWithoutToken === true, scopes && [...scopes].sort(), roles && [...roles].sort()];
}
