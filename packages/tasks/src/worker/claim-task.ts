/** Whether a worker takes a task: one that has no such tool leaves it to others. */
import { Leave } from '../board';
import { claim, fail } from '../record/transitions';
import type { TaskState } from '../record/task-state';

/** Milliseconds that a task whose tool this process does not have is left to others: in a rolling update, some have it. */
const TOOL_PATIENCE = 600_000;

/** A worker that looks at a task. */
export interface Claimant {
  /** The name of the worker. */
  readonly worker: string;
  /** Milliseconds. */
  readonly lease: number;
  /** Whether it has the tool of the task. */
  readonly hasTool: boolean;
}

/** The task, taken by a worker, or failed if nobody has had its tool; until when it is left to others; undefined if it is not ready. */
export function claimTask(
  state: TaskState,
  { worker, lease, hasTool }: Claimant,
  now: number,
): TaskState | Leave | undefined {
  const claimed = claim(state, worker, lease, now);
  if (!claimed || hasTool) return claimed;
  const until = (state.run?.until ?? state.readyAt) + TOOL_PATIENCE;
  return until > now ? new Leave(until) : fail(state, noTool(state.tool), now);
}

function noTool(tool: string): string {
  const minutes = TOOL_PATIENCE / 60_000;
  return `No instance of the server that runs tasks has had the tool "${tool}" for ${minutes} minutes.`;
}
