/** What the option `task` of a tool says, as text. Only the code of a server knows it: the protocol does not list it. */
import type { DeclaredEntry } from '../declared/declared-entries';

/** Whether calls of a tool can be tasks: `task: optional, retries: 2`; undefined if they never are. */
export function describeTask(entry: Pick<DeclaredEntry, 'task'> | undefined): string | undefined {
  if (!entry?.task) return undefined;
  const { support, starts, retry } = entry.task;
  return [
    `task: ${support === 'required' ? 'required' : 'optional'}`,
    ...(starts === 'in-handler' ? ['starts in its handler'] : []),
    ...(typeof retry === 'number' ? [`retries: ${retry}`] : []),
  ].join(', ');
}
