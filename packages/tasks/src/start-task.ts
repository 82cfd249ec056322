/** `startTask`: where a call becomes a task. */
import { Suspension, type McpContext } from '@sigil-mcp/core';

/** Ends the run of a handler whose call becomes a task there. */
export class TaskStart extends Suspension {
  constructor() {
    super('startTask, where the call becomes a task');
  }
}

/** Marks the contexts of calls that become tasks where their handlers say so. `Symbol.for`, so that it holds across copies of the package. */
const STARTS = Symbol.for('sigil.startTask');

/** Lets the handler of a call say where it becomes a task. */
export function letStart(context: McpContext): void {
  Object.defineProperty(context, STARTS, { value: true });
}

/**
 * Makes a task of the call, in a tool with `task: { starts: 'in-handler' }`: the request is answered with the task, and the handler runs again
 * from its beginning without the request. What was asked before is not asked again, and what `once` has kept is not done again. Does nothing
 * if the call is a task already, or if its client does not know tasks. Await it, and let its error pass.
 * @example
 * const answer = await context.elicit(Budget, 'How much may it cost?');
 * await startTask(context);
 * return this.reports.write(answer);
 */
export async function startTask(context: McpContext): Promise<void> {
  // A task runs with another context.
  if (STARTS in context) throw new TaskStart();
}
