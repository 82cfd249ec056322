/** What tasks may take, and the words of a refusal if there is no room. */
import { Denial } from '@sigil-mcp/core';
import type { TaskRoom } from './stores/task-store';
import type { TaskLimits } from './tasks-options';

type Limits = Required<TaskLimits>;

/** The limits, as a store has them. */
export function roomOf({ tasks, tasksPerClient, kept, keptPerClient }: Limits): TaskRoom {
  return { tasks, tasksPerHolder: tasksPerClient, bytesPerHolder: keptPerClient, bytes: kept };
}

/** The name of a limit among the options of `tasks`. */
const NAMES: Readonly<Record<keyof TaskRoom, keyof TaskLimits>> = {
  tasks: 'tasks',
  tasksPerHolder: 'tasksPerClient',
  bytesPerHolder: 'keptPerClient',
  bytes: 'kept',
};

/** A sentence with what a limit says, and its name. */
export function sentenceOf(limit: keyof TaskRoom, { tasks, tasksPerClient, kept, keptPerClient }: Limits): string {
  const sentences: Readonly<Record<keyof TaskRoom, string>> = {
    tasks: `All clients together may have ${tasks} tasks that have not ended`,
    tasksPerHolder: `A client may have ${tasksPerClient} tasks that have not ended`,
    bytesPerHolder: `The tasks of a client may take ${inMebibytes(keptPerClient)}`,
    bytes: `The tasks of all clients together may take ${inMebibytes(kept)}`,
  };
  return `${sentences[limit]} (limits.${NAMES[limit]} of tasks).`;
}

/** Seconds after which a client may try again. */
const RETRY_AFTER = 10;

/** Refuses a request. @param fix what the client can do */
export function noRoom(limit: keyof TaskRoom, limits: Limits, fix: string): Denial {
  return new Denial(`${sentenceOf(limit, limits)} ${fix}`, {
    error: 'internal-error',
    status: limit === 'tasks' || limit === 'bytes' ? 503 : 429,
    retryAfter: RETRY_AFTER,
    limit: `tasks.limits.${NAMES[limit]}`,
  });
}

function inMebibytes(bytes: number): string {
  const most = bytes / 1024 / 1024;
  return most < 1 ? `${bytes} bytes` : `${Math.round(most * 10) / 10} MiB`;
}
