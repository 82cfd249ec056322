/** What tasks may take, and the words of a refusal if there is no room. */
import { Denial, type HeldAccount, type HeldLimit } from '@sigil-mcp/core';
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

/** The limits of a server that tasks count against. */
export interface TaskLimitsOfServer {
  /** Those of `tasks`. */
  readonly limits: Limits;
  /** Those of the server itself. */
  readonly account: Pick<HeldAccount, 'sentenceOf'>;
}

/** A sentence with what a limit says, and its name. */
export function sentenceOf(limit: keyof TaskRoom | HeldLimit, { limits, account }: TaskLimitsOfServer): string {
  if (limit === 'held' || limit === 'heldPerClient') return account.sentenceOf(limit);
  const { tasks, tasksPerClient, kept, keptPerClient } = limits;
  const sentences: Readonly<Record<keyof TaskRoom, string>> = {
    tasks: `All clients together may have ${tasks} tasks that have not ended`,
    tasksPerHolder: `A client may have ${tasksPerClient} tasks that have not ended`,
    bytesPerHolder: `The tasks of a client may take ${inMebibytes(keptPerClient)}`,
    bytes: `The tasks of all clients together may take ${inMebibytes(kept)}`,
  };
  return `${sentences[limit]} (limits.${NAMES[limit]} of tasks).`;
}

/** The limits of one client. */
const OF_ONE: ReadonlySet<string> = new Set<keyof TaskRoom | HeldLimit>([
  'tasksPerHolder',
  'bytesPerHolder',
  'heldPerClient',
]);

/** Seconds after which a client may try again. */
const RETRY_AFTER = 10;

/** Refuses a request. @param fix what the client can do */
export function noRoom(limit: keyof TaskRoom | HeldLimit, server: TaskLimitsOfServer, fix: string): Denial {
  return new Denial(`${sentenceOf(limit, server)} ${fix}`, {
    error: 'internal-error',
    status: OF_ONE.has(limit) ? 429 : 503,
    retryAfter: RETRY_AFTER,
    limit: limit === 'held' || limit === 'heldPerClient' ? `limits.${limit}` : `tasks.limits.${NAMES[limit]}`,
  });
}

function inMebibytes(bytes: number): string {
  const most = bytes / 1024 / 1024;
  return most < 1 ? `${bytes} bytes` : `${Math.round(most * 10) / 10} MiB`;
}
