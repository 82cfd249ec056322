/** What the caller of a task may do now, asked before the task runs and before it goes on. */
import type { ExtensionServices } from '@sigil-mcp/core';
import { settleWithin } from '@sigil-mcp/core/adapter';
import type { TaskBoard } from '../board';
import type { TaskState } from '../record/task-state';
import * as transitions from '../record/transitions';
import type { CurrentRights, ResolvedTasks } from '../tasks-options';

/** Milliseconds that `rights` may take, and the part of a lease: the worker must still have the task afterwards. */
const PATIENCE = 10_000;
const SHARE_OF_LEASE = 1 / 2;
/** Milliseconds until a caller is asked about again whose rights are not known. */
const ASK_AGAIN = 1000;
const RIGHTS_ARE_GONE = 'The caller of the task has no rights any more.';

/** Asks the option `rights`; a caller has the rights of the newest request if it is left out. */
export class TaskRights {
  constructor(
    private readonly board: TaskBoard,
    private readonly services: Pick<ExtensionServices, 'clock' | 'logger'>,
    private readonly options: Pick<ResolvedTasks, 'rights' | 'lease'>,
  ) {}

  /** A task that was taken, with the rights that its caller has now; undefined if it does not run: it is given back, or has ended. */
  async atBegin(state: TaskState): Promise<TaskState | undefined> {
    if (!this.options.rights) return state;
    const now = await this.#ask(state);
    const { id, fence } = state;
    if (now === 'unknown') {
      await this.board.change(id, (before, time) => transitions.release(before, fence, time + ASK_AGAIN));
      return undefined;
    }
    if (!now) {
      await this.board.change(id, (before, time) => transitions.failRun(before, fence, RIGHTS_ARE_GONE, time));
      return undefined;
    }
    const caller = { ...state.call.caller, ...now };
    return this.board.change(id, (before) =>
      before.run?.fence === fence ? { ...before, call: { ...before.call, caller } } : undefined,
    );
  }

  /** Whether a handler may go on that began with the rights of the task. */
  async areTheSame(state: TaskState): Promise<boolean> {
    if (!this.options.rights) return true;
    const now = await this.#ask(state);
    // It runs again from its beginning, where all of its rights are checked.
    return typeof now === 'object' && transitions.withRights(state, { ...state.call.caller, ...now }) === state;
  }

  async #ask({ call }: TaskState): Promise<CurrentRights | undefined | 'unknown'> {
    const { rights, lease } = this.options;
    const { clock, logger } = this.services;
    const milliseconds = Math.min(PATIENCE, lease * SHARE_OF_LEASE);
    try {
      const answer = Promise.resolve(rights?.(call.caller));
      if (await settleWithin(milliseconds, answer, clock)) return await answer;
      logger.error({ milliseconds }, 'tasks({ rights }) has not answered in time; the task waits');
    } catch (err) {
      logger.error({ err }, 'tasks({ rights }) failed; the task waits');
    }
    return 'unknown';
  }
}
