/** The tasks that the processes of the cluster share, where there is a Redis. */
import { createClient } from '@redis/client';
import type { Extension } from '@sigil-mcp/core';
import { tasks } from '@sigil-mcp/tasks';
import { redisTasks } from '@sigil-mcp/tasks/redis';
import { defectiveTasks } from './defective-tasks';
import { TASK_LEASE, TASK_TIME, TASKS_PREFIX } from './settings';

/** The extension, in memory where each process is on its own. */
export async function openTasks(url: string | undefined): Promise<Extension<object>> {
  const limits = { tasksPerClient: Infinity, polls: { calls: 1_000_000, per: 'second' } } as const;
  const options = { lease: TASK_LEASE, ttl: TASK_TIME, pollInterval: 50, limits };
  if (url === undefined) return tasks(options);
  const client = createClient({ url, socket: { reconnectStrategy: 100 } });
  // It comes back by itself; what could not be done meanwhile says so.
  client.on('error', () => undefined);
  await client.connect();
  return tasks({ ...options, store: defectiveTasks(redisTasks(client, { prefix: TASKS_PREFIX })) });
}
