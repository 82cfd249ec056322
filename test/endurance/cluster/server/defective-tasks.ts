/** A store of tasks that breaks a promise now and then. */
import type { TaskStore } from '@sigil-mcp/tasks';
import { showsDefect } from './defect';
import { overriding } from './overriding';

/** The store as it is, unless a defect is wanted. */
export function defectiveTasks(store: TaskStore): TaskStore {
  return overriding(store, {
    // A task is said to be kept, and is not.
    create: (real, given) => (showsDefect('lost-tasks') ? undefined : real(...given)),
  });
}
