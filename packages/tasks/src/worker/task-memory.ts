/** What the calls of running tasks hold in the memory of this process, charged to the account of the server. */
import type { HeldAccount, Holding } from '@sigil-mcp/core';
import { weightOfValue } from '@sigil-mcp/core/adapter';
import type { TaskState } from '../record/task-state';

/** By the ids of tasks that run, or are about to. */
export class TaskMemory {
  readonly #held = new Map<string, Holding>();

  constructor(private readonly account: Pick<HeldAccount, 'hold'>) {}

  /** Counts the call of a task, as it is parsed; one is always taken. @returns whether there is room */
  hold({ id, holder, call }: TaskState): boolean {
    if (this.#held.has(id)) return true;
    const held = this.account.hold(holder, 'tasks');
    const bytes = weightOfValue(call);
    if (this.#held.size === 0) held.add(bytes);
    else if (held.grow(bytes)) return false;
    this.#held.set(id, held);
    return true;
  }

  /** Gives it back. */
  release(id: string): void {
    this.#held.get(id)?.release();
    this.#held.delete(id);
  }
}
