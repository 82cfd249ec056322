/** Tasks that are ready, and wait for a place in this process. */
import { ClientTurns, type Places } from '@sigil-mcp/core/internal';
import { Leave } from '../board';
import type { TaskState } from '../record/task-state';
import { claim, fail } from '../record/transitions';

/** A task that waits. */
interface QueuedTask {
  readonly holder: string;
  /** When its time ends, in milliseconds since 1970: it is ended then, also if its turn has not come. */
  readonly end: number;
}

/** Holders take turns. */
export class QueuedTasks {
  readonly #tasks = new Map<string, QueuedTask>();
  readonly #turns = new ClientTurns<string>();

  get size(): number {
    return this.#tasks.size;
  }

  has(id: string): boolean {
    return this.#tasks.has(id);
  }

  add(id: string, task: QueuedTask): void {
    if (this.#tasks.has(id)) return;
    this.#tasks.set(id, task);
    this.#turns.add(task.holder, id);
  }

  /** Forgets a task: it has changed, or is looked at. */
  delete(id: string): void {
    const task = this.#tasks.get(id);
    if (task) this.#turns.delete(task.holder, id);
    this.#tasks.delete(id);
  }

  /** Forgets all: any of them may have changed. */
  clear(): void {
    for (const id of [...this.#tasks.keys()]) this.delete(id);
  }

  /** Takes the next task whose holder may have a place, which it has then. */
  take(places: Places): { readonly id: string; readonly holder: string } | undefined {
    const id = this.#turns.take(places)?.item;
    const task = id === undefined ? undefined : this.#tasks.get(id);
    if (id === undefined || !task) return undefined;
    this.#tasks.delete(id);
    return { id, holder: task.holder };
  }

  /** Takes out those whose time has ended. */
  ended(now: number): readonly string[] {
    const ids = [...this.#tasks].filter(([, { end }]) => end <= now).map(([id]) => id);
    for (const id of ids) this.delete(id);
    return ids;
  }
}

// Whether a worker takes a task: one that has no such tool leaves it to others.

/** Milliseconds that a task whose tool this process does not have is left to others: in a rolling update, some have it. */
const TOOL_PATIENCE = 600_000;

/** A worker that looks at a task. */
interface Claimant {
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
