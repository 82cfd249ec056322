/** The requests about a task, over the official client. */
import { isObject } from '@sigil-mcp/base';
import { isPassing, readTask, type Task, type TaskLine, type Watch } from '@sigil-mcp/client/wire';
import { ERROR_CODES, ProtocolError, type JsonObject } from '@sigil-mcp/protocol';
import { protocolError } from '../failure';
import { isAnswer, type Client } from '../official-client';
import type { CommandSession } from '../session/session';

/** Milliseconds for the answer to a cancellation. */
const LONGEST_FAREWELL = 5000;

/** Sends what `followTask` sends. */
export function officialTaskLine(session: CommandSession): TaskLine {
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
export async function cancelTask({ client, official }: CommandSession, taskId: string): Promise<void> {
  const cancel = { method: 'tasks/cancel', params: { taskId } };
  await client.request(cancel, official.specTypeSchemas.Result, { timeout: LONGEST_FAREWELL });
}

/** Reads a task. @throws CliFailure if it does not fit the protocol */
export function checked(task: unknown): Task {
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
