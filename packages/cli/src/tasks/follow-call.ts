/** From a call that has become a task to its result: shown, asked for, cancelled by Ctrl-C. */
import { followTask, hasEnded, type Task } from '@sigil-mcp/client/wire';
import { LONGEST_TIMER } from '@sigil-mcp/base';
import { systemClock } from '@sigil-mcp/core/adapter';
import { failure, noServer, protocolError } from '../failure';
import type { ToolResult } from '../official-client';
import type { CommandSession } from '../session/session';
import { wasInterrupted } from '../terminal/interruption';
import { cancelTask, checked, officialTaskLine } from './official-task-line';

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
