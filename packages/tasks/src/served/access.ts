/** Whose task it is: every method answers another principal as it answers an unknown id. */
import { Denial, ProtocolError, type ExtensionCall, type ExtensionServices } from '@sigil-mcp/core';
import type { TaskBoard } from '../board';
import type { TaskState } from '../record/task-state';

/** The services of the access to tasks. */
export interface TaskAccess {
  readonly board: TaskBoard;
  readonly services: Pick<ExtensionServices, 'entries' | 'account'>;
}

/** Ids have 22 characters; what is longer is not looked up. */
const LONGEST_ID = 64;

/** No task has this id, as far as the caller may know. */
export function unknownTask(id: string): ProtocolError {
  return new ProtocolError('invalid-params', `Unknown task: ${id.slice(0, LONGEST_ID)}`);
}

/**
 * A task of the caller, who may still call its tool.
 * @throws ProtocolError for an id that is not known, and for a task of another caller; Denial where a guard or missing scopes say why
 */
export async function findTask(id: string, call: ExtensionCall, access: TaskAccess): Promise<TaskState> {
  const state = id.length > LONGEST_ID ? undefined : await access.board.read(id);
  if (!state || state.owner !== (call.context.caller.principal ?? null)) throw unknownTask(id);
  const tool = access.services.entries.find('tool', state.tool);
  // A tool that was removed has no rules any more.
  if (tool) await checkTool(id, () => call.checkAccess(tool));
  return state;
}

/** A tool that is hidden from the caller hides its tasks. */
async function checkTool(id: string, check: () => void | Promise<void>): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (error instanceof Denial || !(error instanceof ProtocolError)) throw error;
    throw unknownTask(id);
  }
}
