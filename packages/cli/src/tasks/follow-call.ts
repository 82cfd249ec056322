/** From a call that has become a task to its result: shown, asked for, cancelled by Ctrl-C. */
import {
  followTask,
  hasEnded,
  type Task,
  isPassing,
  readTask,
  type TaskLine,
  type Watch,
} from '@sigil-mcp/client/wire';
import { LONGEST_TIMER, isObject } from '@sigil-mcp/base';
import { systemClock } from '@sigil-mcp/core/adapter';
import { failure, noServer, protocolError } from '../failure';
import { type ToolResult, isAnswer, type Client } from '../official-client';
import type { CommandSession } from '../session/session';
import { wasInterrupted } from '../terminal/interruption';
import { ERROR_CODES, ProtocolError, type JsonObject } from '@sigil-mcp/protocol';

/** Milliseconds for the answer to a cancellation. */
const LONGEST_FAREWELL = 5000;

/**
 * Follows a task that this command has started.
 * @param sent the task, as the server sent it
 * @returns the result of the tool
 * @throws CliFailure if the task was cancelled; the error of the protocol if it has failed
 */
export async function followCall(session: CommandSession, sent: unknown): Promise<ToolResult> {
  const { status, interruption } = session;
  const first = checked(sent);
  const { taskId } = first;
  interruption.ending = { work: () => end(session, taskId), words: howToGoOn(session, taskId) };
  const ended = await follow(session, first);
  interruption.ending = undefined;
  status.clear();
  return resultOf(session, ended);
}

/** As `followCall`, for a task that another command has started. */
export async function followAgain(session: CommandSession, taskId: string): Promise<ToolResult> {
  const { client, official, request } = session;
  const get = { method: 'tasks/get', params: { taskId } };
  return followCall(session, await client.request(get, official.specTypeSchemas.Result, request));
}

async function follow(session: CommandSession, first: Task): Promise<Task> {
  const { status, request, interruption, answer } = session;
  const { timeout = LONGEST_TIMER } = request;
  const late = timeout < LONGEST_TIMER ? AbortSignal.timeout(timeout) : undefined;
  const signal = late ? AbortSignal.any([interruption.signal, late]) : interruption.signal;
  let said: string | undefined;
  const onTask = (task: Task): void => {
    const { statusMessage } = task;
    // The end is shown as the result.
    if (statusMessage !== undefined && statusMessage !== said && !hasEnded(task)) status.say(statusMessage);
    said = statusMessage;
  };
  try {
    return await followTask(first, officialTaskLine(session), { answer, onTask, signal, clock: systemClock });
  } catch (error) {
    throw late?.aborted === true && !interruption.signal.aborted ? noServer('SIGIL_CLI_ANSWER_LATE') : error;
  }
}

function resultOf({ official }: CommandSession, { taskId, status, statusMessage, result, error }: Task): ToolResult {
  if (error) throw new official.ProtocolError(error.code, error.message, error.data);
  if (status === 'cancelled') {
    const said = statusMessage === undefined ? '' : `: ${statusMessage}`;
    throw failure('SIGIL_CLI_TASK_CANCELLED', { task: taskId, said });
  }
  const read = official.specTypeSchemas.CallToolResult['~standard'].validate(result);
  if (!('then' in read) && !read.issues) return withoutType(read.value);
  throw protocolError('SIGIL_CLI_ANSWER_INVALID', { reason: 'The result of the task is not the result of a tool.' });
}

/** The official client leaves out the type of results, too. */
function withoutType(result: ToolResult): ToolResult {
  const { resultType: _, ...rest } = result;
  return rest;
}

/** Ctrl-C cancels the task; another end, such as an answer that no form has a field for, leaves it as it is. */
async function end(session: CommandSession, taskId: string): Promise<void> {
  const { status, interruption } = session;
  if (!wasInterrupted(interruption.signal.reason)) return;
  status.print(status.styles.dim(`Cancelling the task ${taskId} …`));
  await cancelTask(session, taskId);
  interruption.ending = undefined;
}

function howToGoOn({ target }: CommandSession, taskId: string): string {
  const place = target.kind === 'url' ? target.url.href : (target.file ?? `--task ${taskId} -- ${target.label}`);
  const again = place.startsWith('--') ? `sigil call ${place}` : `sigil call ${place} --task ${taskId}`;
  const lasts = target.kind === 'url' ? 'may go on' : 'has ended with its server, unless a store keeps it';
  return `The task ${taskId} ${lasts}. To look again: ${again}`;
}

/** Sends what `followTask` sends. */
function officialTaskLine(session: CommandSession): TaskLine {
  const { client, official, request } = session;
  const { Result } = official.specTypeSchemas;
  return {
    get: async (taskId, signal) =>
      checked(await client.request({ method: 'tasks/get', params: { taskId } }, Result, { ...request, signal })),
    update: (taskId, inputResponses, signal) =>
      client.request({ method: 'tasks/update', params: { taskId, inputResponses } }, Result, { ...request, signal }),
    watch: (taskId, changed, signal) => watch(client, taskId, { changed, signal }),
    retryAfter: (error) => (error instanceof official.SdkHttpError ? session.findRefusal()?.secondsToWait : undefined),
    isFinal: (error) => isFinal(error, session),
  };
}

/** A fault of the server, or that it has no time, says nothing about the request. */
function isFinal(error: unknown, session: CommandSession): boolean {
  const { official } = session;
  if (isAnswer(error, official)) return error.code !== ERROR_CODES['internal-error'];
  if (error instanceof official.SdkHttpError) return !isPassing(error.status);
  return session.isLost(error);
}

/** Asks the server to end a task; the command may have been interrupted. */
async function cancelTask({ client, official }: CommandSession, taskId: string): Promise<void> {
  const cancel = { method: 'tasks/cancel', params: { taskId } };
  await client.request(cancel, official.specTypeSchemas.Result, { timeout: LONGEST_FAREWELL });
}

/** Reads a task. @throws CliFailure if it does not fit the protocol */
function checked(task: unknown): Task {
  try {
    // It came as JSON.
    return readTask((isObject(task) ? task : {}) as JsonObject);
  } catch (error) {
    if (error instanceof ProtocolError) throw protocolError('SIGIL_CLI_ANSWER_INVALID', { reason: error.message });
    throw error;
  }
}

async function watch(
  client: Client,
  taskId: string,
  { changed, signal }: { readonly changed: (task: Task) => void; readonly signal: AbortSignal },
): Promise<Watch | undefined> {
  client.fallbackNotificationHandler = async ({ method, params }) => {
    if (method === 'notifications/tasks' && params?.['taskId'] === taskId) changed(checked(params));
  };
  // The filter of the official client does not know the fields of extensions, but sends them.
  const filter: object = { taskIds: [taskId] };
  const subscription = await client.listen(filter, { signal });
  const { taskIds } = subscription.honoredFilter as { readonly taskIds?: unknown };
  const isHonored = Array.isArray(taskIds) && taskIds.includes(taskId);
  if (isHonored) return { ended: subscription.closed, close: () => subscription.close() };
  await subscription.close();
  return undefined;
}
