/** From a call that has become a task to its result: shown, asked for, cancelled by Ctrl-C. */
import { SigilError } from '@sigil-mcp/base';
import { hasEnded, type Task } from '@sigil-mcp/client/internal';
import type { CallToolResult } from '@sigil-mcp/protocol';
import { failure, noServer, protocolError } from '../failure';
import { withoutType } from '../session/as-sent';
import type { CommandSession } from '../session/session';
import { wasInterrupted } from '../terminal/interruption';

/** Milliseconds for the answer to a cancellation. */
const LONGEST_FAREWELL = 5000;

/**
 * Follows a task that this command has started.
 * @param first the task, as the server sent it
 * @returns the result of the tool
 * @throws CliFailure if the task was cancelled; the error of the protocol if it has failed
 */
export async function followCall(session: CommandSession, first: Task): Promise<CallToolResult> {
  const { status, interruption } = session;
  const { taskId } = first;
  interruption.ending = { work: () => end(session, taskId), words: howToGoOn(session, taskId) };
  try {
    return await follow(session, first);
  } finally {
    status.clear();
  }
}

/** As `followCall`, for a task that another command has started. */
export async function followAgain(session: CommandSession, taskId: string): Promise<CallToolResult> {
  return followCall(session, await session.client.task(taskId).get(session.request));
}

async function follow(session: CommandSession, first: Task): Promise<CallToolResult> {
  const { client, status, request, interruption } = session;
  const { timeout = Infinity } = request;
  const late = timeout < Infinity ? AbortSignal.timeout(timeout) : undefined;
  const signal = late ? AbortSignal.any([interruption.signal, late]) : interruption.signal;
  let said: string | undefined;
  const onTask = (task: Task): void => {
    const { statusMessage } = task;
    if (hasEnded(task)) interruption.ending = undefined;
    // The end is shown as the result.
    else if (statusMessage !== undefined && statusMessage !== said) status.say(statusMessage);
    said = statusMessage;
  };
  try {
    return withoutType(await client.task(first.taskId).resultFrom(first, { onTask, signal }, () => false));
  } catch (error) {
    if (late?.aborted === true && !interruption.signal.aborted) throw noServer('SIGIL_CLI_ANSWER_LATE');
    throw explainEnd(error, first.taskId, said);
  }
}

/** @param words of the server about the end */
function explainEnd(error: unknown, task: string, words: string | undefined): unknown {
  if (!(error instanceof SigilError)) return error;
  const { cause } = error;
  // The reason why the server was not asked any more is a failure of its own.
  if (error.code === 'SIGIL_CLIENT_TASK_UNFOLLOWED')
    return cause instanceof SigilError && cause.code === 'SIGIL_CLIENT_RESULT' && cause.message.includes('tools/call')
      ? protocolError('SIGIL_CLI_ANSWER_INVALID', { reason: 'The result of the task is not the result of a tool.' })
      : cause;
  if (error.code !== 'SIGIL_CLIENT_TASK_CANCELLED') return error;
  return failure('SIGIL_CLI_TASK_CANCELLED', { task, said: words === undefined ? '' : `: ${words}` });
}

/** Ctrl-C cancels the task; another end, such as an answer that no form has a field for, leaves it as it is. */
async function end(session: CommandSession, taskId: string): Promise<void> {
  const { client, status, interruption } = session;
  if (!wasInterrupted(interruption.signal.reason)) return;
  status.print(status.styles.dim(`Cancelling the task ${taskId} …`));
  await client.task(taskId).cancel({ timeout: LONGEST_FAREWELL });
  interruption.ending = undefined;
}

function howToGoOn({ target }: CommandSession, taskId: string): string {
  const place = target.kind === 'url' ? target.url.href : (target.file ?? `--task ${taskId} -- ${target.label}`);
  const again = place.startsWith('--') ? `sigil call ${place}` : `sigil call ${place} --task ${taskId}`;
  const lasts = target.kind === 'url' ? 'may go on' : 'has ended with its server, unless a store keeps it';
  return `The task ${taskId} ${lasts}. To look again: ${again}`;
}
