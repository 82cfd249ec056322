/** A call that has become a task: the official client refuses this answer, so it travels as the metadata of a result. */
import { randomUUID } from 'node:crypto';
import type { Message, ToolResult } from '../official-client';

/** No server can choose it. */
const TASK_KEY = `sigil/task-${randomUUID()}`;

/** Changes the answer of a call that has become a task. Every other message stays as it is. */
export function carryTask(message: Message): Message {
  if (!('result' in message) || message.result['resultType'] !== 'task') return message;
  // Only results of tools fit into such a result; the client refuses it as the answer to anything else. It wants structured results, unless
  // the tool has failed.
  const result = { resultType: 'complete', content: [], isError: true, _meta: { [TASK_KEY]: message.result } };
  return { ...message, result };
}

/** The task that a result carries, as the server sent it; undefined for the result of a tool. */
export function carriedTask({ _meta }: ToolResult): unknown {
  return _meta?.[TASK_KEY];
}
