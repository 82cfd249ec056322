/** What `sigil inspect` says of tools that can be tasks. */
import { describeTask } from '../src/inspect/describe-task';

it.each([
  [undefined, undefined],
  [{}, undefined],
  [{ task: {} }, 'task: optional'],
  [{ task: { support: 'required', retry: 'never' } }, 'task: required'],
  [{ task: { starts: 'in-handler', retry: 2 } }, 'task: optional, starts in its handler, retries: 2'],
])('says of a tool with %j: %s', (entry, said) => {
  expect(describeTask(entry)).toBe(said);
});
